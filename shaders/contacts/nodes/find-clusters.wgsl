// requires contacts/field/field.wgsl
// requires contacts/nodes/item-frames.wgsl
// Clusters of nodes, or of pieces of edges, that are near the partner: how many each pair has, then which. Twin:
// isBallFar in src/contacts/nodes/polyhedron-pairs.ts. A thread per pair.

// 1 to list them at the places in `counts`.
override LISTED: u32 = 0u;
// 1 for pieces of edges.
override OF_EDGES: u32 = 0u;
// What a ball is off in the partner's frame, and rounding of the distance, relative to all lengths (place.wgsl).
const ROUNDING = 0x1p-17f;

@compute @workgroup_size(GROUP)
fn findClusters(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let n = id.x + id.y * groups.x * GROUP;
  if (n >= min(tally.pairs, params.mostPairs)) {
    return;
  }
  let reach = colliders[pairs[n].x].radius + colliders[pairs[n].y].radius;
  var found = 0u;
  if (LISTED == 1u) {
    found = counts[n];
  }
  for (var s = 2u * n; s < 2u * n + 2u; s++) {
    let side = sideOf(s);
    let table = tableOf(side.shape, select(NODE_CLUSTERS, PIECE_CLUSTERS, OF_EDGES == 1u));
    let members = tableOf(side.shape, select(NODE_COUNT, PIECE_COUNT, OF_EDGES == 1u));
    let slack = ROUNDING * (length(side.own.origin - side.partner.origin) + reach);
    for (var c = 0u; c < (members + CLUSTER - 1u) / CLUSTER; c++) {
      let ball = table + 4u * c;
      let middle = side.inPartner.rotation * vectorAt(ball) + side.inPartner.origin;
      if (leastDistance(side.partnerShape, middle) > numberAt(ball + 3u) + slack) {
        continue;
      }
      if (LISTED == 1u && found < params.mostItems) {
        items[found] = vec4u(s, c, 0u, 0u);
      }
      found++;
    }
  }
  if (LISTED == 0u) {
    counts[n] = found;
  }
}
