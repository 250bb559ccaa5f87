// requires contacts/patches/ball.wgsl
// requires contacts/field/triangle-tree.wgsl
// Tells whether a ball's centre is inside the polyhedron, and if not, counts the triangles that may be listed. A thread
// per pair.

// Whether the centre is inside, outside, or open in float32.
fn stateOf(shape: u32, p: vec3f) -> u32 {
  let grid = gridOf(shape);
  if (!isInBox(grid, p)) {
    return 0u;
  }
  let word = cellWord(grid, p);
  let code = word >> 30u;
  if (code != MIXED) {
    return select(CENTRE_INSIDE, 0u, code == OUTSIDE);
  }
  let side = sideByPairs(shape, word & REST, p);
  if (side == 2u) {
    return IS_LEFT_OPEN | select(0u, CENTRE_INSIDE, depthAt(shape, p).depth > 0.0);
  }
  return select(0u, CENTRE_INSIDE, side == 1u);
}

@compute @workgroup_size(GROUP)
fn countTriangles(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let n = id.x + id.y * groups.x * GROUP;
  if (n >= pairCount()) {
    return;
  }
  let ball = ballOf(pairs[n]);
  // Twice the slack of find-parts.wgsl, so that its list fits, however both are rounded.
  let slack = 2.0 * ball.error;
  let reach = ball.radius + slack;
  var state = 0u;
  var found = 0u;
  if (leastDistance(gridOf(ball.shape), ball.centre) <= reach) {
    state = stateOf(ball.shape, ball.centre);
    if ((state & CENTRE_INSIDE) == 0u) {
      var leaf = leafFrom(ball.shape, 0u, ball.centre, reach);
      while (leaf != NO_BOX) {
        let ranks = ranksOf(ball.shape, leaf);
        for (var rank = ranks.x; rank < ranks.y; rank++) {
          let triangle = triangleAt(ball.shape, rank);
          if (heightOver(ball.shape, triangle, ball.centre) >= -slack) {
            found += select(0u, 1u, nearestOn(ball.shape, triangle, ball.centre).distance <= reach);
          }
        }
        leaf = leafFrom(ball.shape, leaf + 1u, ball.centre, reach);
      }
    }
  }
  spans[n] = found;
  spans[params.mostPairs + n] = state;
}
