// M2M (Muth et al., eq. 23): moments of clusters from their children's, four of them a thread. The clusters of one
// level.

// Quads of moments per cluster.
override QUADS: u32 = 12u;

@compute @workgroup_size(GROUP)
fn m2m(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  let cluster = params.firstUnit + thread / QUADS;
  let row = thread % QUADS;
  let parent = clusters[cluster];
  var sum = vec4f(0.0);
  for (var child = parent.firstChild; child < parent.lastChild; child++) {
    let octant = dot(select(vec3u(0u), vec3u(1u, 2u, 4u), clusters[child].centre > parent.centre), vec3u(1u));
    let table = octant * QUADS * QUADS + row;
    var part = vec4f(0.0);
    for (var j = 0u; j < QUADS; j++) {
      part += tables[table + j * QUADS] * moments[child * QUADS + j];
    }
    sum += part;
  }
  moments[cluster * QUADS + row] = sum;
}
