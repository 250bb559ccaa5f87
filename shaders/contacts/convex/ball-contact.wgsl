// requires contacts/convex/balls.wgsl
// The contact of two balls: halfway between both surfaces. Of balls with one centre the normal is x. Twin:
// src/contacts/convex/balls.ts. Needs the binding `origins`, besides those of the balls.

const CONVEX = 3u;
const NO_TRIANGLE = 0xffffffffu;

// `most` is the largest distance that a contact may have, in the pair's unit.
fn contactOfBalls(pair: vec2u, balls: BallPair, most: f32, status: u32) -> ContactRecord {
  let gap = gapOf(balls);
  let distance = min(most, gap.y);
  let normal = select(vec3f(1.0, 0.0, 0.0), balls.way / max(gap.x, 0x1p-126), gap.x > 0.0);
  let a = origins[pair.x];
  let b = origins[pair.y];
  return ContactRecord(
    a.body,
    b.body,
    a.part | (b.part << 16u),
    0u,
    normal,
    balls.unit * distance,
    a.centre + (balls.unit * (balls.radiusA + 0.5 * distance)) * normal,
    0.0,
    NO_TRIANGLE,
    CONVEX | (status << 8u),
    vec2u()
  );
}
