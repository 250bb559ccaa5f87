// The balls around both shapes of a pair, or of shapes that are balls. Needs the bindings `placed` and `shapes`.
// Lengths are in units of a power of two, so that squares neither overflow nor vanish.
//
// A coordinate of the way between both centres is off by less than 2^-24 of it, and by 2^-25 of the larger of it and
// the shapes (pair.wgsl); radii by 2^-24 each, sums and the root by as much again. So lengths differ by less than 2^-20
// of the pair's size.

// Distance below which two balls are left to the solvers, or to float64, in units of the pair's size.
override TOUCHING: f32 = 0x1p-15;
const ROUNDING = 0x1p-20;

// Kinds of pairs.
const APART = 0u;
const UNSURE = 1u;
const OVERLAPPING_BALLS = 2u;

struct BallPair {
  // From A's centre to B's.
  way: vec3f,
  radiusA: f32,
  radiusB: f32,
  // True where both shapes are balls.
  areBalls: bool,
  // Length of the unit; 0 where a number overflows, or the bodies are too far from the origin: nothing can be said.
  unit: f32,
}

// One over a power of two below 2^127, exactly.
fn inversePower(x: f32) -> f32 {
  return bitcast<f32>(0x7f000000u - min(bitcast<u32>(x), 0x7f000000u));
}

fn ballsOf(pair: vec2u) -> BallPair {
  let a = placed[pair.x];
  let b = placed[pair.y];
  // The difference cancels before anything is added to it: WGSL moves nothing across a clamp.
  let high = clamp(b.centre - a.centre, vec3f(-0x1p127), vec3f(0x1p127));
  let way = high + (b.centreRest - a.centreRest);
  let unitA = shapes[a.record].unit;
  let unitB = shapes[b.record].unit;
  let largest = max(max(unitA, unitB), max(max(abs(way.x), abs(way.y)), abs(way.z)));
  var unit = bitcast<f32>(bitcast<u32>(largest) & 0x7f800000u);
  // Two points in one place have no size; any unit will do.
  if (unit == 0.0) {
    unit = 1.0;
  }
  // As in convex/pair/pair.wgsl.
  let isNear = max(a.reach, b.reach) <= 0x1p23 * largest;
  let inverse = inversePower(unit);
  let scaleA = unitA * inverse;
  let scaleB = unitB * inverse;
  let areBalls = shapes[a.record].boundingRadius == shapes[a.record].margin &&
    shapes[b.record].boundingRadius == shapes[b.record].margin;
  return BallPair(
    way * inverse,
    scaleA * shapes[a.record].boundingRadius,
    scaleB * shapes[b.record].boundingRadius,
    areBalls,
    select(0.0, unit, unit < 0x1p125 && isNear)
  );
}

// Length of the way, and the signed distance of both balls.
fn gapOf(balls: BallPair) -> vec2f {
  let away = length(balls.way);
  return vec2f(away, away - (balls.radiusA + balls.radiusB));
}

// Error of a distance, at most.
fn roundingOf(balls: BallPair, away: f32) -> f32 {
  return ROUNDING * (balls.radiusA + balls.radiusB + away);
}

fn kindOfPair(balls: BallPair) -> u32 {
  let gap = gapOf(balls);
  let size = balls.radiusA + balls.radiusB + gap.x;
  let isKnown = balls.unit > 0.0;
  let isApart = isKnown && gap.y > roundingOf(balls, gap.x);
  let isDeep = balls.areBalls && isKnown && gap.y < -(TOUCHING * size);
  return select(select(UNSURE, OVERLAPPING_BALLS, isDeep), APART, isApart);
}
