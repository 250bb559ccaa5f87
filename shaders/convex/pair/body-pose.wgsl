// Poses of bodies as callers give them: whether they are usable.

// Departure of a quaternion's squared length from 1 up to which it is of unit length.
override UNIT_TOLERANCE: f32 = 0.002;
// Coordinates above are not usable, as bits; and components of a quaternion.
override LARGEST_PLACE: u32 = 0x7149f2cau;
const LARGEST_COMPONENT = 0x3f810000u;
const MAGNITUDE = 0x7fffffffu;
const POSE = 7u;

struct Pose {
  place: vec3f,
  turn: vec4f,
  isUsable: bool,
}

fn poseOf(body: u32) -> Pose {
  let pose = POSE * body;
  let place = vec3u(poses[pose], poses[pose + 1u], poses[pose + 2u]);
  let turn = vec4u(poses[pose + 3u], poses[pose + 4u], poses[pose + 5u], poses[pose + 6u]);
  // In integers: WGSL may take it that no float is infinite or not a number.
  var isUsable = shapes[body] < arrayLength(&shapeParts);
  isUsable &= all((place & vec3u(MAGNITUDE)) <= vec3u(LARGEST_PLACE));
  isUsable &= all((turn & vec4u(MAGNITUDE)) <= vec4u(LARGEST_COMPONENT));
  let q = bitcast<vec4f>(turn);
  isUsable &= abs(dot(q, q) - 1.0) <= UNIT_TOLERANCE;
  return Pose(bitcast<vec3f>(place), q, isUsable);
}

// First part and number of parts of a body's shape.
fn partsOf(body: u32) -> vec2u {
  return shapeParts[min(shapes[body], arrayLength(&shapeParts) - 1u)];
}
