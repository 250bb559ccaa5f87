// requires contacts/field/shape.wgsl
// requires contacts/planes/above-plane.wgsl
// Counts the nodes of polyhedra that lie below planes, and sets a bit for each of them, in a word per cluster. Twin:
// src/contacts/planes/nodes-below-plane.ts. A thread per pair.

// Rounding of heights, relative to the lengths that are turned (above-plane.wgsl).
const ROUNDING = 0x1p-17f;

@compute @workgroup_size(GROUP)
fn findNodes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let n = id.x + id.y * groups.x * GROUP;
  if (n >= params.count || pairs[n].kind.x != 1u) {
    return;
  }
  let to = pairs[n].at;
  counts[params.countsAt + n] = 0u;
  if (!areThere(pairs[n])) {
    return;
  }
  let above = abovePlaneOf(pairs[n]);
  let other = colliders[otherOf(pairs[n])];
  let slack = ROUNDING * (other.radius + length(above.frame.origin));
  if (above.height > other.radius + slack) {
    return;
  }
  let nodes = tableOf(other.shape, NODES);
  let balls = tableOf(other.shape, NODE_TREE);
  let count = tableOf(other.shape, NODE_COUNT);
  var found = 0u;
  for (var c = 0u; c * CLUSTER < count; c++) {
    let ball = balls + 4u * c;
    var mask = 0u;
    if (above.height + dot(above.up, vectorAt(ball)) <= numberAt(ball + 3u) + slack) {
      let first = CLUSTER * c;
      let end = min(first + CLUSTER, count);
      for (var i = first; i < end; i++) {
        let height = above.height + dot(above.up, vectorAt(nodes + 4u * i));
        mask |= select(0u, 1u << (i - first), height <= 0.0);
      }
    }
    masks[to + c] = mask;
    found += countOneBits(mask);
  }
  counts[params.countsAt + n] = found;
  atomicAdd(&near, 1u);
}
