// The number of contacts of each pair with a plane.

const NO_NAME = 0xffffffffu;

@compute @workgroup_size(GROUP)
fn countBelow(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= params.count) {
    return;
  }
  let pair = pairs[i];
  if (pair.kind.x == 1u) {
    counts[params.countsAt + i] = masks[pair.at];
  } else {
    counts[params.countsAt + i] = dot(select(vec4u(1u), vec4u(), corners[pair.at].names == vec4u(NO_NAME)), vec4u(1u));
  }
}
