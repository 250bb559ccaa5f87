// requires dem/monitors/add-body-sums.wgsl
// Sums of sums.

@compute @workgroup_size(GROUP)
fn sumSpans(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let to = id.x + id.y * groups.x * GROUP;
  if (to * SPAN >= params.count) {
    return;
  }
  zero = vec3u(params.zero);
  var sums = BodySums();
  for (var span = to * SPAN; span < min((to + 1u) * SPAN, params.count); span++) {
    sums = addBodySums(sums, spans[span]);
  }
  wider[to] = sums;
}
