// requires contacts/field/nearest.wgsl
// requires contacts/nodes/item-frames.wgsl
// Which nodes of the listed clusters are inside. Twin: src/contacts/nodes/nodes-in-fields.ts. A thread per cluster.

// Whether a point is inside. Only where float32 leaves that open, the nearest point is sought.
fn isInside(shape: u32, p: vec3f) -> bool {
  if (!isInBox(shape, p)) {
    return false;
  }
  let word = cellWord(shape, p);
  let code = word >> 30u;
  if (code != MIXED) {
    return code != OUTSIDE;
  }
  let side = sideByPairs(shape, word & REST, p);
  if (side == 2u) {
    return depthAt(shape, p).depth > 0.0;
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
  var mask = 0u;
  for (var i = first; i < end; i++) {
    let p = side.inPartner.rotation * vectorAt(nodes + 4u * i) + side.inPartner.origin;
    mask |= select(0u, 1u << (i - first), isInside(side.partnerShape, p));
  }
  items[n].z = mask;
  counts[params.countsAt + n] = countOneBits(mask);
}
