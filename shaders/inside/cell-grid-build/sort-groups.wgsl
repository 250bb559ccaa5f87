// Every cell's triangles in ascending order, which makes the tables independent of who came first: a triangle's place is
// the number of smaller ones in its cell. Each is there once.

const GROUP = 64u;

@compute @workgroup_size(GROUP)
fn sortGroups(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let p = params.first + id.x + id.y * groups.x * GROUP;
  if (p >= params.end) {
    return;
  }
  let entry = grouped[p];
  let first = starts[entry.y];
  let end = starts[entry.y + 1u];
  var smaller = 0u;
  for (var other = first; other < end; other++) {
    smaller += select(0u, 1u, grouped[other].x < entry.x);
  }
  sorted[first + smaller] = entry;
}
