// requires broadphase/header.wgsl
// requires contacts/cells-between.wgsl
// How far any point of a body can have moved since the list was made, and the largest of all. Twin: moved.ts, which
// says why a turn counts as twice the distance of quaternions.
//
// Bounds, with e = 2^-23. A position's differences are exact integers, each converted within 3 e. Quaternions are made
// unit within 6 e per component (dot 5 e, inverseSqrt and product 3.5 e), so their distance is off by 2 * 12 e at most,
// and the turn by 48 e < 2^-17 of the reach. The rest is relative: fewer than 16 e. Both are added.

// Bit of a body's flags.
const ABSENT = 2u;
const FAR = 0x1p100f;

@compute @workgroup_size(GROUP)
fn largestMove(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let body = id.x + id.y * groups.x * GROUP;
  if (body >= params.bodies) {
    return;
  }
  let now = bodies[body];
  let then = listedBodies[body];
  let shift = wayInCells(then.cell, then.fraction, now.cell, now.fraction);
  let a = now.quaternion * inverseSqrt(dot(now.quaternion, now.quaternion));
  let b = then.quaternion * inverseSqrt(dot(then.quaternion, then.quaternion));
  let turn = min(length(a - b), length(a + b));
  let reach = reaches[body];
  var moved = (params.cell * length(shift) + 2.0 * turn * reach) * (1.0 + 0x1p-19f) + 0x1p-17f * reach;
  // A body that stands still has not moved, whatever bounds say.
  if (all(now.cell == then.cell) && all(now.fraction == then.fraction) && all(now.quaternion == then.quaternion)) {
    moved = 0.0;
  }
  // Bodies that were not there have no pairs, and pairs of those that are not there any more may not be looked at.
  if (((now.flags ^ then.flags) & ABSENT) != 0u) {
    moved = FAR;
  } else if ((now.flags & ABSENT) != 0u) {
    moved = 0.0;
  }
  // Bits of floats that are not below 0 are in the order of the floats. A look first: nearly none is the largest.
  let bits = bitcast<u32>(moved);
  if (bits > atomicLoad(&header[MOVED])) {
    atomicMax(&header[MOVED], bits);
  }
}
