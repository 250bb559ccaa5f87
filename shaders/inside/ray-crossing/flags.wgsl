// Turns the winding of points into flags, four points a thread, and appends the doubtful ones to the list that the
// host settles exactly.

override NONZERO: bool = false;

const QUADS_PER_THREAD = 4u;

@compute @workgroup_size(GROUP)
fn flags(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let quad = id.x + id.y * groups.x * GROUP;
  let first = quad * 4u;
  if (first >= params.points) {
    return;
  }
  let thread = quad / QUADS_PER_THREAD;
  let shift = (quad % QUADS_PER_THREAD) * 4u;
  let winding = windings[thread];
  let inside = select(winding.x, winding.x | winding.y | winding.z | winding.w, NONZERO) >> shift;
  packed[quad] = (inside & 1u) | ((inside & 2u) << 7u) | ((inside & 4u) << 14u) | ((inside & 8u) << 21u);
  let doubts = (doubtfuls[thread] >> shift) & 0xfu;
  for (var k = 0u; k < 4u; k++) {
    if (((doubts >> k) & 1u) != 0u && first + k < params.points) {
      let place = atomicAdd(&doubtful.count, 1u);
      doubtful.numbers[place] = first + k;
    }
  }
}
