// requires contacts/field/nearest.wgsl
// requires contacts/nodes/item-frames.wgsl
// Flags the nodes of the listed clusters that are inside, and counts those looked up. Twin:
// src/contacts/nodes/nodes-in-fields.ts. A thread per cluster.

// Whether a point of a cell that is not outside is inside. Only where float32 leaves that open, the nearest point is
// sought.
fn isInside(shape: u32, word: u32, p: vec3f) -> bool {
  if ((word >> 30u) != MIXED) {
    return true;
  }
  let side = sideByPairs(shape, word & REST, p);
  if (side == 2u) {
    return depthAt(shape, p).depth >= 0.0;
  }
  return side == 1u;
}

@compute @workgroup_size(GROUP)
fn testNodes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let n = id.x + id.y * groups.x * GROUP;
  if (n >= min(tally.items, params.mostItems)) {
    return;
  }
  let item = items[n];
  let side = sideOf(item.x);
  let nodes = tableOf(side.shape, NODES);
  let first = CLUSTER * item.y;
  let end = min(first + CLUSTER, tableOf(side.shape, NODE_COUNT));
  let plane = planes[item.x];
  let grid = gridOf(side.partnerShape);
  // A loop of its own, not nested with the next: threads that run side by side wait for the longest loop.
  var within = 0u;
  for (var i = first; i < end; i++) {
    within |= select(0u, 1u << (i - first), dot(plane.xyz, vectorAt(nodes + 4u * i)) >= plane.w);
  }
  var mask = 0u;
  var tested = 0u;
  var near = 0u;
  for (; within != 0u; within &= within - 1u) {
    let bit = firstTrailingBit(within);
    let p = side.inPartner.rotation * vectorAt(nodes + 4u * (first + bit)) + side.inPartner.origin;
    if (!isInBox(grid, p)) {
      continue;
    }
    tested++;
    let word = cellWord(grid, p);
    if ((word >> 30u) == OUTSIDE) {
      continue;
    }
    near++;
    mask |= select(0u, 1u << bit, isInside(side.partnerShape, word, p));
  }
  if (tested > 0u) {
    atomicAdd(&tally.tested, tested);
    atomicAdd(&tally.near, near);
  }
  items[n].z = mask;
  counts[params.countsAt + n] = countOneBits(mask);
}
