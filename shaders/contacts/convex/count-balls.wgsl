// Two balls that overlap have one contact.

const OVERLAPPING_BALLS = 2u;

@compute @workgroup_size(GROUP)
fn countBalls(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i < sizes[0].w && flags[i] == OVERLAPPING_BALLS) {
    counts[params.countsAt + i] = 1u;
  }
}
