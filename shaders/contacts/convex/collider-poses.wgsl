// Poses of colliders' bodies, as convex/pair/place-bodies.wgsl takes them: a float32 and what it leaves of each
// coordinate.
//
// A coordinate is 18 bits of cells and 32 of a cell's fraction. The first 24 bits, down to 2^-6 of a cell, are a
// float32 without rounding. The other 26 are one to 2^-32 of a cell.

const POSE = 7u;

@compute @workgroup_size(GROUP)
fn colliderPoses(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= arrayLength(&owners)) {
    return;
  }
  let body = bodies[owners[i].x];
  let high = vec3f(body.cell * 64 + vec3i(body.fraction >> vec3u(26u))) * (0x1p-6 * params.cell);
  let low = vec3f(body.fraction & vec3u(0x3ffffffu)) * (0x1p-32 * params.cell);
  let to = POSE * i;
  for (var k = 0u; k < 3u; k++) {
    poses[to + k] = high[k];
    rests[to + k] = low[k];
  }
  for (var k = 0u; k < 4u; k++) {
    poses[to + 3u + k] = body.quaternion[k];
    rests[to + 3u + k] = 0.0;
  }
}
