// The number of contacts of each pair with a plane, and how many pairs have a ball that reaches below.

const NO_NAME = 0xffffffffu;
const IS_NEAR = 0x80000000u;

@compute @workgroup_size(GROUP)
fn countBelow(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= params.count) {
    return;
  }
  let pair = pairs[i];
  var isNear = false;
  if (pair.kind.x == 1u) {
    counts[params.countsAt + i] = masks[pair.at] & ~IS_NEAR;
    isNear = masks[pair.at] >= IS_NEAR;
  } else {
    counts[params.countsAt + i] = dot(select(vec4u(1u), vec4u(), corners[pair.at].names == vec4u(NO_NAME)), vec4u(1u));
    isNear = corners[pair.at].isNear == 1u;
  }
  if (isNear) {
    atomicAdd(&near, 1u);
  }
}
