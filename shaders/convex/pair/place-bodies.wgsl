// requires convex/pair/part-place.wgsl
// Convex bodies from poses: one for each part of a body's shape. Twin: src/convex/gpu/reference.ts.
//
// The centre of a part is p + q c q' / (q q'), with p, q the body's pose and c the part's centre in the shape's frame
// (part-place.wgsl). A convex shape whose centre is its origin has the centre p, without any computing.

// 1 where some shape has several parts.
override CONCAVE: u32 = 1u;
// 1 where some part is turned.
override TURNED: u32 = 1u;
// Departure of a quaternion's squared length from 1 up to which it is of unit length.
override UNIT_TOLERANCE: f32 = 0.002;
// Coordinates above are not usable, as bits; and components of a quaternion.
override LARGEST_PLACE: u32 = 0x7149f2cau;
const LARGEST_COMPONENT = 0x3f810000u;
const MAGNITUDE = 0x7fffffffu;
const POSE = 7u;
// Bits of `Part.place`.
const HAS_CENTRE = 1u;
const IS_TURNED = 2u;

// Number `at` of what rounding left of the poses.
fn restOf(at: u32) -> f32 {
  // In bounds either way: without rests the poses themselves are bound.
  return select(0.0, bitcast<f32>(rests[at]), params.hasRests != 0u);
}

fn writeBody(at: u32, pose: u32, high: vec3f, turn: vec4f, part: u32) {
  var low = vec3f();
  var turnRest = vec4f();
  if (params.hasRests != 0u) {
    low = vec3f(restOf(pose), restOf(pose + 1u), restOf(pose + 2u));
    turnRest = vec4f(restOf(pose + 3u), restOf(pose + 4u), restOf(pose + 5u), restOf(pose + 6u));
  }
  let place = placePart(PartPlace(high, low, turn), turnRest, part);
  let size = abs(high);
  let reach = max(max(max(size.x, size.y), size.z), parts[part].reach);
  bodies[at] = Body(place.high, parts[part].record, place.low, reach, place.turn, parts[part].kind);
}

@compute @workgroup_size(GROUP)
fn placeBodies(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let body = id.x + id.y * groups.x * GROUP;
  if (body >= params.bodies) {
    return;
  }
  let shape = shapes[body];
  let pose = POSE * body;
  let place = vec3u(poses[pose], poses[pose + 1u], poses[pose + 2u]);
  let turn = vec4u(poses[pose + 3u], poses[pose + 4u], poses[pose + 5u], poses[pose + 6u]);
  // In integers: WGSL may take it that no float is infinite or not a number.
  var isUsable = shape < arrayLength(&shapeParts);
  isUsable &= all((place & vec3u(MAGNITUDE)) <= vec3u(LARGEST_PLACE));
  isUsable &= all((turn & vec4u(MAGNITUDE)) <= vec4u(LARGEST_COMPONENT));
  let q = bitcast<vec4f>(turn);
  isUsable &= abs(dot(q, q) - 1.0) <= UNIT_TOLERANCE;
  let own = shapeParts[min(shape, arrayLength(&shapeParts) - 1u)];
  var first = body;
  if (CONCAVE != 0u && isUsable) {
    first = atomicAdd(&total, own.y);
  }
  isUsable &= first + own.y <= params.capacity;
  spans[body] = vec2u(first, select(0u, own.y, isUsable));
  if (!isUsable) {
    return;
  }
  // Where all are convex there is no loop: software adapters take several times as long with one.
  if (CONCAVE == 0u) {
    writeBody(first, pose, bitcast<vec3f>(place), q, own.x);
  } else {
    for (var i = 0u; i < own.y; i++) {
      writeBody(first + i, pose, bitcast<vec3f>(place), q, own.x + i);
    }
  }
}
