// requires contacts/place.wgsl
// requires contacts/field/nearest.wgsl
// A ball in the frame of its pair's polyhedron. Bindings besides those of place.wgsl: `pairs`, `spans`.

// In `colliders`: the collider is a ball.
const NO_SHAPE = 0xffffffffu;

// Bits of a pair's state: the centre is inside; float32 leaves open which contacts there are. The number of parts is
// behind them.
const CENTRE_INSIDE = 1u;
const IS_LEFT_OPEN = 2u;
const STATE_BITS = 2u;

struct Ball {
  centre: vec3f,
  radius: f32,
  // Distances from the centre are off by less: 2^-17 of the pair's size, or 64 e with e = 2^-23, of which place.wgsl
  // takes 32 e and nearest.wgsl 12 e. The size is the way between both bodies and all that is turned.
  error: f32,
  shape: u32,
  // True if the ball is B.
  isB: bool,
  // Both frames, about the position of A's body.
  own: Frame,
  mesh: Frame,
}

const ERROR = 0x1p-17f;

fn ballOf(pair: vec2u) -> Ball {
  let a = colliders[pair.x];
  let b = colliders[pair.y];
  let isB = a.shape != NO_SHAPE;
  let frameA = frameFrom(pair.x, a.body);
  let frameB = frameFrom(pair.y, a.body);
  let size = length(wayBetween(a.body, b.body)) + length(a.offset) + length(b.offset) + a.radius + b.radius;
  var ball = Ball(vec3f(0.0), a.radius, ERROR * size, b.shape, false, frameA, frameB);
  if (isB) {
    ball = Ball(vec3f(0.0), b.radius, ERROR * size, a.shape, true, frameB, frameA);
  }
  ball.centre = transpose(ball.mesh.rotation) * (ball.own.origin - ball.mesh.origin);
  return ball;
}

// Behind the numbers and states of pairs are the number of pairs, and that of all triangles near balls.
fn pairCount() -> u32 {
  return min(spans[2u * params.mostPairs], params.mostPairs);
}

// The room of a pair's triangles: the first, and the one behind the last. Empty where the list has no room for all.
fn roomOf(n: u32) -> vec2u {
  let first = spans[n];
  let all = spans[2u * params.mostPairs + 1u];
  var end = all;
  if (n + 1u < pairCount()) {
    end = spans[n + 1u];
  }
  return vec2u(first, select(first, end, end <= params.mostTriangles));
}

// Height of a point over a triangle's plane. A triangle without area has 0.
fn heightOver(shape: u32, triangle: u32, p: vec3f) -> f32 {
  let corner = vectorAt(tableOf(shape, CORNERS) + 9u * triangle);
  return dot(vectorAt(tableOf(shape, NORMALS) + 21u * triangle), p - corner);
}
