// The end of P2M: moments of a cluster from those of its panels, four of them a thread, in a fixed order.

// Quads of moments per cluster and panel.
override QUADS: u32 = 12u;

@compute @workgroup_size(GROUP)
fn sumPanels(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  let number = thread / QUADS;
  let quad = thread % QUADS;
  var sum = vec4f(0.0);
  for (var panel = panelStarts[number]; panel < panelStarts[number + 1u]; panel++) {
    sum += panelMoments[panel * QUADS + quad];
  }
  moments[(params.firstUnit + number) * QUADS + quad] = sum;
}
