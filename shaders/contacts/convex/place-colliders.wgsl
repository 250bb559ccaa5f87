// requires convex/pair/part-place.wgsl
// Places the convex bodies of colliders, and writes their centres less the positions of their bodies, and whose they
// are. Twins: src/contacts/convex/centres.ts and test/support/pair-sorting-twin.ts. A thread per collider.
//
// A coordinate is 18 bits of cells and 32 of a cell's fraction. The first 24 bits, down to 2^-6 of a cell, are a
// float32 without rounding. The other 26 are one to 2^-32 of a cell.

// 1 where some part is turned.
override TURNED: u32 = 1u;
// A quaternion is of unit length if its squared length differs from 1 by at most this.
override UNIT_TOLERANCE: f32 = 0.002;
// Components of a quaternion above are not usable, as bits.
const LARGEST_COMPONENT = 0x3f810000u;
const MAGNITUDE = 0x7fffffffu;
// Bits of `Part.place`.
const HAS_CENTRE = 1u;
const IS_TURNED = 2u;

@compute @workgroup_size(GROUP)
fn placeColliders(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= params.count) {
    return;
  }
  let owner = owners[i];
  let body = bodies[owner.x];
  let high = vec3f(body.cell * 64 + vec3i(body.fraction >> vec3u(26u))) * (0x1p-6 * params.cell);
  let low = vec3f(body.fraction & vec3u(0x3ffffffu)) * (0x1p-32 * params.cell);
  // Integers are compared: WGSL may assume that no float is infinite or not a number.
  let isFinite = all((bitcast<vec4u>(body.quaternion) & vec4u(MAGNITUDE)) <= vec4u(LARGEST_COMPONENT));
  let q = body.quaternion;
  // Colliders that are not convex have no shape here.
  let isUsable = shapes[i] < arrayLength(&shapeParts) && isFinite && abs(dot(q, q) - 1.0) <= UNIT_TOLERANCE;
  spans[i] = vec2u(i, select(0u, 1u, isUsable));
  var centre = vec3f();
  if (isUsable) {
    let part = shapeParts[shapes[i]].x;
    let place = placePart(PartPlace(high, low, q), vec4f(), part);
    let size = abs(high);
    let reach = max(max(max(size.x, size.y), size.z), parts[part].reach);
    placed[i] = Body(place.high, parts[part].record, place.low, reach, place.turn, parts[part].kind);
    centre = (place.high - high) + (place.low - low);
  }
  origins[i] = ColliderOrigin(centre, owner.x, owner.y);
}
