// requires contacts/field/field.wgsl
// requires contacts/nodes/item-frames.wgsl
// Balls around clusters, and around what lies below them in their tree. Twin: eachNearCluster in
// src/contacts/nodes/polyhedron-pairs.ts.

// Error of a ball's centre in the partner's frame and of its distance, relative to all lengths (place.wgsl).
const ROUNDING = 0x1p-17f;
// Least product of a half-space that has no point.
const NOWHERE = 0x1p126f;

// The way between both bodies, and how far both colliders reach about them.
fn sizeOfPair(pair: vec2u) -> f32 {
  let a = colliders[pair.x];
  let b = colliders[pair.y];
  return length(wayBetween(a.body, b.body)) + a.radius + length(a.offset) + b.radius + length(b.offset);
}

// True if no point of a ball is nearer to the partner than this distance.
fn isBallFar(side: Side, grid: Grid, plane: vec4f, ball: u32, distance: f32) -> bool {
  let place = vectorAt(ball);
  let reach = numberAt(ball + 3u) + distance;
  if (dot(plane.xyz, place) + reach < plane.w) {
    return true;
  }
  return isFarther(grid, side.inPartner.rotation * place + side.inPartner.origin, reach);
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
