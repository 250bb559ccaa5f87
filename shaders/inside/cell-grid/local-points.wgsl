// Points in the local frame of a body's tables: scaled by a power of two and moved. Inside the mesh's box both are
// exact, so the result is the host's (surface.ts, docs/cell-grid.md). Other points get a place outside, and what is no
// finite number stays as it is. Scaling and comparing work on bits: WGSL may flush subnormal numbers, and the power may
// be no float32.

const POINTS = 4u;
const SIGN = 0x80000000u;
const EXPONENT = 0x7f800000u;
const FRACTION = 0x7fffffu;
// Outside every box: the largest float32.
const OUTSIDE = 0x7f7fffffu;

// 2^e, e in -126 .. 127.
fn power(e: i32) -> f32 {
  return bitcast<f32>(u32(e + 127) << 23u);
}

// A float32 times 2^exponent, where the product is of the size of 1 or smaller. It is exact, or flushed to 0 if it is
// subnormal.
fn scaled(bits: u32, exponent: i32) -> f32 {
  let field = (bits & EXPONENT) >> 23u;
  let whole = select(bits & FRACTION, (bits & FRACTION) | (FRACTION + 1u), field != 0u);
  // The number is whole * 2^(max(field, 1) - 150). In two steps, none of which leaves the normal numbers before the
  // last.
  let e = i32(max(field, 1u)) - 150 + exponent;
  let magnitude = f32(whole) * power(clamp(e + 64, -126, 100)) * power(-64);
  return select(magnitude, -magnitude, (bits & SIGN) != 0u);
}

// Numbers in the order of floats: smaller floats have smaller ones, and both zeros the same.
fn ordered(bits: vec3u) -> vec3u {
  let isNegative = (bits & vec3u(SIGN)) != vec3u(0u);
  return select(bits | vec3u(SIGN), (vec3u(0u) - bits), isNegative);
}

@compute @workgroup_size(GROUP)
fn localPoints(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let first = (id.x + id.y * groups.x * GROUP) * POINTS;
  for (var k = 0u; k < POINTS; k++) {
    let n = first + k;
    if (n >= params.points) {
      return;
    }
    let point = points[n];
    let bits = vec3u(point.x, point.y, point.z);
    let isFinite = all((bits & vec3u(EXPONENT)) != vec3u(EXPONENT));
    let place = ordered(bits);
    let inBox = all(place >= params.boxMin) && all(place <= params.boxMax);
    let moved = vec3f(
      scaled(bits.x, params.exponent) - params.shift.x,
      scaled(bits.y, params.exponent) - params.shift.y,
      scaled(bits.z, params.exponent) - params.shift.z,
    );
    let result = select(bits, select(vec3u(OUTSIDE), bitcast<vec3u>(moved), inBox), isFinite);
    local[n].x = result.x;
    local[n].y = result.y;
    local[n].z = result.z;
  }
}
