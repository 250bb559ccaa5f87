// requires contacts/cells-between.wgsl
// requires common/turns.wgsl
// Frames of colliders in each other. Bindings: `bodies`, `colliders`, `params.cellSize`.
//
// Bound. e = 2^-23, S the distance of both bodies' origins plus the lengths of what is turned. Quaternions are of unit
// length but for rounding, so an element of a rotation is off by at most 6 e, the product of two rotations, and one of
// them with a vector, by less than 20 e of its length. A position's difference is exact until it is rounded once. With
// the quaternions' own rounding, a point in another collider's frame is off by less than 32 e S = 2^-18 S.

// A frame: how it is turned against the world's axes, and where its origin is.
struct Frame {
  rotation: mat3x3f,
  origin: vec3f,
}

fn rotationOf(q: vec4f) -> mat3x3f {
  return mat3x3f(
    vec3f(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.z * q.w), 2.0 * (q.x * q.z - q.y * q.w)),
    vec3f(2.0 * (q.x * q.y - q.z * q.w), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z + q.x * q.w)),
    vec3f(2.0 * (q.x * q.z + q.y * q.w), 2.0 * (q.y * q.z - q.x * q.w), 1.0 - 2.0 * (q.x * q.x + q.y * q.y)),
  );
}

// Position of another body less that of one.
fn wayBetween(one: u32, other: u32) -> vec3f {
  let a = bodies[one];
  let b = bodies[other];
  return params.cellSize * wayInCells(a.cell, a.fraction, b.cell, b.fraction);
}

// A collider's frame about the position of a body.
fn frameFrom(collider: u32, body: u32) -> Frame {
  let place = colliders[collider];
  let q = bodies[place.body].quaternion;
  let way = wayBetween(body, place.body);
  return Frame(rotationOf(turnAfter(q, place.quaternion)), way + rotationOf(q) * place.offset);
}

// A frame seen from another, both about one place.
fn frameIn(one: Frame, other: Frame) -> Frame {
  let back = transpose(other.rotation);
  return Frame(back * one.rotation, back * (one.origin - other.origin));
}
