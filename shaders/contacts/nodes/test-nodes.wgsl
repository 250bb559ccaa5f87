// requires common/from-item-to-item.wgsl
// requires contacts/field/nearest.wgsl
// requires contacts/nodes/item-frames.wgsl
// Flags the nodes of the listed clusters that are inside, and counts those looked up. Twin:
// src/contacts/nodes/nodes-in-fields.ts. A thread goes from cluster to cluster.

// Where a node is in the partner.
fn placeOfNode(side: Side, words: u32) -> vec3f {
  return side.inPartner.rotation * vectorAt(words) + side.inPartner.origin;
}

@compute @workgroup_size(GROUP)
fn testNodes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let itemCount = min(tally.items, params.mostItems);
  var tested = 0u;
  var near = 0u;
  for (var n = threadOf(id, groups); n < itemCount; n += threadsIn(groups)) {
    let item = items[n];
    let side = sideOf(item.x);
    let nodes = tableOf(side.shape, NODES);
    let first = CLUSTER * item.y;
    let end = min(first + CLUSTER, tableOf(side.shape, NODE_COUNT));
    let plane = planes[item.x];
    let grid = gridOf(side.partnerShape);
    // Loops of their own, not nested: threads that run side by side wait for the longest loop.
    var within = 0u;
    for (var i = first; i < end; i++) {
      within |= select(0u, 1u << (i - first), dot(plane.xyz, vectorAt(nodes + 4u * i)) >= plane.w);
    }
    // Those inside, those in mixed cells, and those of which float32 leaves open where they are.
    var inside = 0u;
    var mixed = 0u;
    for (; within != 0u; within &= within - 1u) {
      let bit = within & (0u - within);
      let p = placeOfNode(side, nodes + 4u * (first + firstTrailingBit(within)));
      if (isInBox(grid, p)) {
        let code = cellWord(grid, p) >> 30u;
        tested++;
        inside |= select(0u, bit, code != OUTSIDE && code != MIXED);
        mixed |= select(0u, bit, code == MIXED);
      }
    }
    near += countOneBits(inside | mixed);
    var open = 0u;
    for (; mixed != 0u; mixed &= mixed - 1u) {
      let bit = mixed & (0u - mixed);
      let p = placeOfNode(side, nodes + 4u * (first + firstTrailingBit(mixed)));
      let found = sideByPairs(side.partnerShape, cellWord(grid, p) & REST, p);
      inside |= select(0u, bit, found == 1u);
      open |= select(0u, bit, found == 2u);
    }
    for (; open != 0u; open &= open - 1u) {
      let p = placeOfNode(side, nodes + 4u * (first + firstTrailingBit(open)));
      inside |= select(0u, open & (0u - open), depthAt(side.partnerShape, p).depth >= 0.0);
    }
    items[n].z = inside;
    counts[params.countsAt + n] = countOneBits(inside);
  }
  if (tested > 0u) {
    atomicAdd(&tally.tested, tested);
    atomicAdd(&tally.near, near);
  }
}
