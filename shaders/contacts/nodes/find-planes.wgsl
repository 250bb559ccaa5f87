// requires common/from-item-to-item.wgsl
// requires contacts/nodes/between-planes.wgsl
// requires contacts/nodes/is-ball-far.wgsl
// Finds the two planes between which all lies that the polyhedra of a pair share. Of pairs that are apart, nothing is
// between. Twin: src/contacts/nodes/polyhedron-pairs.ts. A thread goes from pair to pair.

// True if the ball around a body tells that it is apart from its partner.
fn isApart(side: Side, plane: vec4f, slack: f32) -> bool {
  let root = rootOf(clustersOf(tableOf(side.shape, NODE_COUNT))).y;
  let ball = tableOf(side.shape, NODE_TREE) + 4u * root;
  return isBallFar(side, gridOf(side.partnerShape), plane, ball, slack);
}

@compute @workgroup_size(GROUP)
fn findPlanes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let end = min(tally.pairs, params.mostPairs);
  for (var n = threadOf(id, groups); n < end; n += threadsIn(groups)) {
    let sideA = sideOf(2u * n);
    let sideB = sideOf(2u * n + 1u);
    let size = sizeOfPair(pairs[n]);
    let slack = ROUNDING * size;
    var spaces = betweenPlanes(sideA, sideB, size);
    // Also those that the planes have told apart: a test less would spare threads side by side nothing.
    if (isApart(sideA, spaces.ofA, slack) || isApart(sideB, spaces.ofB, slack)) {
      spaces.ofA.w = NOWHERE;
      spaces.ofB.w = NOWHERE;
    }
    planes[2u * n] = spaces.ofA;
    planes[2u * n + 1u] = spaces.ofB;
  }
}
