// requires contacts/planes/above-plane.wgsl
// Flags the balls that reach below planes, for scenes in which nothing but balls meets planes. Twin:
// src/contacts/planes/convex-on-plane.ts. A thread per pair.

@compute @workgroup_size(GROUP)
fn findBallsBelow(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= params.count) {
    return;
  }
  let pair = pairs[i];
  // If some number is none, nothing is below.
  let isBelow = areThere(pair) && abovePlaneOf(pair).height <= colliders[otherOf(pair)].radius;
  counts[params.countsAt + i] = select(0u, 1u, isBelow);
  if (isBelow) {
    atomicAdd(&tally.near, 1u);
  }
}
