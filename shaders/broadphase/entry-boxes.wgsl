// requires broadphase/header.wgsl
// requires broadphase/measure.wgsl
// Boxes of entries in whole quanta, surely around the entries, and their levels. Twin: entry-boxes.ts. The places of
// bodies that they are made of are kept, too: a thread per entry, or body.
//
// Bounds, with e = 2^-23. The body's position is exact: whole quanta, and a rest of 18 bits. s = 2 / q.q is off by 8 e,
// so an element of the rotation by at most 21 e. Its product with a vector v is off by 24 e (|vx| + |vy| + |vz|), below
// 42 e |v|. Three half axes come to 42 sqrt(3) e of the half diagonal. Rounding of the quaternion and of the entry's
// numbers to float32 turns or moves a point by 2 e of its distance, sums at the end take 4 e of all terms. All that
// is below 2^-16 (far + grown + 1) in quanta, with far = |middle| + half diagonal.

// Bit of a body's flags. Its entries have boxes that hold nothing: no box meets them.
const ABSENT = 2u;
const ROUNDING = 0x1p-16f;
const GREATEST = 0x7fffffff;
const LEAST = -GREATEST - 1;

// a + b, or the end of the range that it is beyond.
fn sumInRange(a: i32, b: i32) -> i32 {
  let sum = a + b;
  let isBeyond = ((a ^ sum) & (b ^ sum)) < 0;
  return select(sum, select(GREATEST, LEAST, a < 0), isBeyond);
}

fn sumsInRange(a: vec3i, b: vec3i) -> vec3i {
  return vec3i(sumInRange(a.x, b.x), sumInRange(a.y, b.y), sumInRange(a.z, b.z));
}

@compute @workgroup_size(GROUP)
fn entryBoxes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let entry = id.x + id.y * groups.x * GROUP;
  if (entry < header[BODIES]) {
    listedBodies[entry] = bodies[entry];
  }
  if (entry >= header[ENTRIES]) {
    return;
  }
  let place = places[entry];
  let body = bodies[place.body];
  if ((body.flags & ABSENT) != 0u) {
    boxes[entry].least = vec3i(GREATEST);
    boxes[entry].greatest = vec3i(LEAST);
    measure(entry, vec3i(GREATEST), vec3i(LEAST));
    return;
  }
  let q = body.quaternion;
  let s = 2.0 / dot(q, q);
  let rotation = mat3x3f(
    vec3f(1.0 - s * (q.y * q.y + q.z * q.z), s * (q.x * q.y + q.z * q.w), s * (q.x * q.z - q.y * q.w)),
    vec3f(s * (q.x * q.y - q.z * q.w), 1.0 - s * (q.x * q.x + q.z * q.z), s * (q.y * q.z + q.x * q.w)),
    vec3f(s * (q.x * q.z + q.y * q.w), s * (q.y * q.z - q.x * q.w), 1.0 - s * (q.x * q.x + q.y * q.y)),
  );
  let half = abs(rotation * place.halfX) + abs(rotation * place.halfY) + abs(rotation * place.halfZ);
  let rounding = ROUNDING * (place.far * params.perLength + params.grown + 1.0);
  let reach = min(half, vec3f(place.radius)) * params.perLength + params.grown + rounding;
  let middle = rotation * place.middle * params.perLength + vec3f(body.fraction & vec3u(0x3ffffu)) * 0x1p-18f;
  // 14 bits of a fraction are whole quanta.
  let origin = body.cell * 16384 + vec3i(body.fraction >> vec3u(18u));
  let least = sumsInRange(origin, vec3i(floor(middle - reach)));
  let greatest = sumsInRange(origin, vec3i(ceil(middle + reach)));
  boxes[entry].least = least;
  boxes[entry].greatest = greatest;
  measure(entry, least, greatest);
}
