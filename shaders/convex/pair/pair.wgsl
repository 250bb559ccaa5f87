// requires convex/shapes/support.wgsl
// A pair as the algorithms see it: the difference A - B of the cores about A's centre, in A's frame, in units of a
// power of two that makes the pair's size 1 to 7.5. Twin: src/convex/pair/pair.ts.

struct Pair {
  recordA: u32,
  recordB: u32,
  // B's frame seen from A's: axes as columns, then the centre.
  rotation: mat3x3f,
  offset: vec3f,
  // From the records' units to the pair's.
  scaleA: f32,
  scaleB: f32,
  marginA: f32,
  marginB: f32,
  // Both bounding radii and the distance of the centres: the measure of all tolerances.
  size: f32,
  // Length of the unit. 0 where a number overflows, or the bodies are too far from the origin: nothing can be said.
  unit: f32,
  // A's orientation in the world.
  turn: vec4f,
}

var<private> pair: Pair;

// Support points: of the difference, on A and on B, in A's frame.
struct SupportPoint {
  w: vec3f,
  a: vec3f,
  b: vec3f,
}

// v turned by a quaternion whose squared length is 2 / s.
fn turnedBy(q: vec4f, s: f32, v: vec3f) -> vec3f {
  return v + s * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

// A difference that cancels before anything is added to it: WGSL may reorder sums, but moves nothing across a clamp.
fn cancelled(v: vec3f) -> vec3f {
  return clamp(v, vec3f(-0x1p127), vec3f(0x1p127));
}

fn placePair(bodyA: u32, bodyB: u32) {
  let a = bodies[bodyA];
  let b = bodies[bodyB];
  let recordA = a.record;
  let recordB = b.record;
  let qa = a.quaternion;
  let qb = b.quaternion;
  // Differences of both parts: exact for bodies near each other, wherever the world's origin is.
  let apart = cancelled(b.centre - a.centre) + (b.centreRest - a.centreRest);
  let unitA = records[recordA].unit;
  let unitB = records[recordB].unit;
  let largest = max(max(unitA, unitB), max(max(abs(apart.x), abs(apart.y)), abs(apart.z)));
  var unit = bitcast<f32>(bitcast<u32>(largest) & 0x7f800000u);
  // Two points in one place have no size; any unit will do.
  if (unit == 0.0) {
    unit = 1.0;
  }
  // Powers of two beyond 2^125 have no inverse that is a normal number. Two parts of a place have 48 bits: from 2^23
  // units on, the last ones are missed.
  let isNear = max(a.reach, b.reach) <= 0x1p23 * largest;
  pair.unit = select(0.0, unit, unit < 0x1p125 && isNear);
  let inverse = inversePower(unit);
  let conjugate = vec4f(-qa.xyz, qa.w);
  pair.offset = turnedBy(conjugate, 2.0 / dot(qa, qa), apart * inverse);
  // Product of A's conjugate and B's quaternion.
  let q = vec4f(
    conjugate.w * qb.xyz + qb.w * conjugate.xyz + cross(conjugate.xyz, qb.xyz),
    conjugate.w * qb.w - dot(conjugate.xyz, qb.xyz)
  );
  let s = 2.0 / dot(q, q);
  let xyz = s * q.xyz;
  let squares = xyz * q.xyz;
  let products = xyz * q.yzx;
  let turns = xyz * q.w;
  pair.rotation = mat3x3f(
    vec3f(1.0 - squares.y - squares.z, products.x + turns.z, products.z - turns.y),
    vec3f(products.x - turns.z, 1.0 - squares.x - squares.z, products.y + turns.x),
    vec3f(products.z + turns.y, products.y - turns.x, 1.0 - squares.x - squares.y)
  );
  pair.recordA = recordA;
  pair.recordB = recordB;
  pair.turn = qa;
  pair.scaleA = unitA * inverse;
  pair.scaleB = unitB * inverse;
  pair.marginA = pair.scaleA * records[recordA].margin;
  pair.marginB = pair.scaleB * records[recordB].margin;
  let radiusA = pair.scaleA * records[recordA].boundingRadius;
  let radiusB = pair.scaleB * records[recordB].boundingRadius;
  pair.size = radiusA + radiusB + length(pair.offset);
  parametersA = records[recordA].byKind[0];
  parametersB = records[recordB].byKind[0];
  hints = array<u32, 4>(0u, 0u, 0u, 0u);
}

// Support point of the difference of the cores in a direction of unit length.
fn supportPoint(n: vec3f) -> SupportPoint {
  let a = pair.scaleA * coreSupport(pair.recordA, n, 0u);
  let b = pair.rotation * (pair.scaleB * coreSupport(pair.recordB, -(n * pair.rotation), 2u)) + pair.offset;
  return SupportPoint(a - b, a, b);
}

// From A's frame to the world's axes.
fn toWorld(v: vec3f) -> vec3f {
  return turnedBy(pair.turn, 2.0 / dot(pair.turn, pair.turn), v);
}
