// requires contacts/field/field.wgsl
// requires contacts/nodes/between-planes.wgsl
// Counts the clusters of nodes, or of pieces of edges, that are near the partner; then lists them. Twin:
// eachNearCluster in src/contacts/nodes/polyhedron-pairs.ts. A thread per pair.
//
// `params.isListed`: 1 to list them at the places in `counts`; `params.ofEdges`: 1 for pieces of edges. Kernels of
// their own would take as long to compile each.

// Error of a ball's centre in the partner's frame and of its distance, relative to all lengths (place.wgsl).
const ROUNDING = 0x1p-17f;

// True if no point of a ball is nearer to the partner than this distance.
fn isBallFar(side: Side, grid: Grid, plane: vec4f, ball: u32, distance: f32) -> bool {
  let place = vectorAt(ball);
  let reach = numberAt(ball + 3u) + distance;
  if (dot(plane.xyz, place) + reach < plane.w) {
    return true;
  }
  return isFarther(grid, side.inPartner.rotation * place + side.inPartner.origin, reach);
}

fn clustersOf(members: u32) -> u32 {
  return (members + CLUSTER - 1u) / CLUSTER;
}

// Balls of a tree with so many clusters on a level.
fn ballsOf(clusters: u32, level: u32) -> u32 {
  return ((clusters - 1u) >> (TREE_BITS * level)) + 1u;
}

// The level of a tree's root, and the balls below it.
fn rootOf(clusters: u32) -> vec2u {
  var level = 0u;
  var below = 0u;
  while (ballsOf(clusters, level) > 1u) {
    below += ballsOf(clusters, level);
    level++;
  }
  return vec2u(level, below);
}

// True if the ball around a body tells that it is apart from its partner.
fn isApart(side: Side, grid: Grid, plane: vec4f, slack: f32) -> bool {
  let root = rootOf(clustersOf(tableOf(side.shape, NODE_COUNT))).y;
  return isBallFar(side, grid, plane, tableOf(side.shape, NODE_TREE) + 4u * root, slack);
}

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

@compute @workgroup_size(GROUP)
fn findClusters(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let n = id.x + id.y * groups.x * GROUP;
  let pairCount = min(tally.pairs, params.mostPairs);
  if (n >= pairCount) {
    return;
  }
  // The pass that counted clusters has found which pairs have none.
  if (params.isListed == 1u) {
    let isLast = n + 1u == pairCount;
    if (counts[n] == select(counts[min(n + 1u, pairCount - 1u)], tally.items, isLast)) {
      return;
    }
  }
  let a = colliders[pairs[n].x];
  let b = colliders[pairs[n].y];
  let reach = a.radius + length(a.offset) + b.radius + length(b.offset);
  let size = length(wayBetween(a.body, b.body)) + reach;
  let slack = ROUNDING * size;
  let sideA = sideOf(2u * n);
  let sideB = sideOf(2u * n + 1u);
  if (params.isListed == 0u && params.hasPlanes == 0u) {
    let spaces = betweenPlanes(sideA, sideB, size);
    planes[2u * n] = spaces.ofA;
    planes[2u * n + 1u] = spaces.ofB;
  }
  let ofA = planes[2u * n];
  let ofB = planes[2u * n + 1u];
  var found = 0u;
  if (params.isListed == 1u) {
    found = counts[n];
  }
  if (ofA.w < NOWHERE) {
    let gridA = gridOf(sideA.shape);
    let gridB = gridOf(sideB.shape);
    if (!isApart(sideA, gridB, ofA, slack) && !isApart(sideB, gridA, ofB, slack)) {
      found = findNear(2u * n, sideA, gridB, ofA, slack, found);
      found = findNear(2u * n + 1u, sideB, gridA, ofB, slack, found);
    }
  }
  if (params.isListed == 0u) {
    counts[n] = found;
  }
}
