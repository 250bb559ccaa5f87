// The balls around both shapes of a pair, or of shapes that are balls. Needs the bindings `placed` and `shapes`.
// Lengths are in units of a power of two, so that squares neither overflow nor vanish.

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
  // A difference that cancels before anything is added to it: nothing is moved across a clamp.
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
