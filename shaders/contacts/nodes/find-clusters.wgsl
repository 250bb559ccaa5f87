// requires common/from-item-to-item.wgsl
// requires contacts/nodes/is-ball-far.wgsl
// Counts the clusters of nodes, or of pieces of edges, that are near the partner; then lists them. Twin:
// eachNearCluster in src/contacts/nodes/polyhedron-pairs.ts. A thread goes from pair to pair.
//
// `params.isListed`: 1 to list them at the places in `counts`; `params.ofEdges`: 1 for pieces of edges. Kernels of
// their own would take as long to compile each.

// Lists the clusters of side s that are near. Takes and returns the number of those found.
fn findNear(s: u32, side: Side, grid: Grid, plane: vec4f, slack: f32, before: u32) -> u32 {
  let tree = tableOf(side.shape, select(NODE_TREE, PIECE_TREE, params.ofEdges == 1u));
  let clusters = clustersOf(tableOf(side.shape, select(NODE_COUNT, PIECE_COUNT, params.ofEdges == 1u)));
  var found = before;
  if (clusters == 0u) {
    return found;
  }
  let root = rootOf(clusters);
  var level = root.x;
  var start = root.y;
  var ball = 0u;
  loop {
    if (!isBallFar(side, grid, plane, tree + 4u * (start + ball), slack)) {
      if (level > 0u) {
        level--;
        start -= ballsOf(clusters, level);
        ball <<= TREE_BITS;
        continue;
      }
      if (params.isListed == 1u && found < params.mostItems) {
        items[found] = vec4u(s, ball, 0u, 0u);
      }
      found++;
    }
    ball++;
    // The next ball has another one above it: that comes first.
    while (level < root.x && ((ball & ((1u << TREE_BITS) - 1u)) == 0u || ball == ballsOf(clusters, level))) {
      start += ballsOf(clusters, level);
      level++;
      ball = (ball + (1u << TREE_BITS) - 1u) >> TREE_BITS;
    }
    if (level == root.x) {
      break;
    }
  }
  return found;
}

// True if a pair has nothing to list: its planes say so, or the pass that counted clusters has found none.
fn isDone(n: u32, end: u32) -> bool {
  if (params.isListed == 1u) {
    return counts[n] == select(counts[min(n + 1u, end - 1u)], tally.items, n + 1u == end);
  }
  counts[n] = 0u;
  return !(planes[2u * n].w < NOWHERE);
}

@compute @workgroup_size(GROUP)
fn findClusters(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let end = min(tally.pairs, params.mostPairs);
  let step = threadsIn(groups);
  for (var n = threadOf(id, groups); n < end; n += step) {
    while (n < end && isDone(n, end)) {
      n += step;
    }
    if (n >= end) {
      break;
    }
    let slack = ROUNDING * sizeOfPair(pairs[n]);
    var found = select(0u, counts[n], params.isListed == 1u);
    for (var s = 2u * n; s < 2u * n + 2u; s++) {
      let side = sideOf(s);
      found = findNear(s, side, gridOf(side.partnerShape), planes[s], slack, found);
    }
    if (params.isListed == 0u) {
      counts[n] = found;
    }
  }
}
