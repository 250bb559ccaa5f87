// The number of contacts of each convex shape with a plane, and how many have a ball that reaches below.

const IS_POLYHEDRON = 1u;
const NO_NAME = 0xffffffffu;

@compute @workgroup_size(GROUP)
fn countBelow(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= params.count || pairs[i].kind.x == IS_POLYHEDRON) {
    return;
  }
  let found = corners[pairs[i].at];
  counts[params.countsAt + i] = dot(select(vec4u(1u), vec4u(), found.names == vec4u(NO_NAME)), vec4u(1u));
  if (found.isNear == 1u) {
    atomicAdd(&tally.near, 1u);
  }
}
