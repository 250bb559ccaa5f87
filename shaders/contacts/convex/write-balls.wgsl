// requires contacts/convex/ball-contact.wgsl
// Contacts of balls that surely overlap, among pairs of which solvers have answered the others.

const SURE = 0u;

@compute @workgroup_size(GROUP)
fn writeBalls(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= sizes[0].w) {
    return;
  }
  if (flags[i] != OVERLAPPING_BALLS) {
    return;
  }
  let at = offsets[params.countsAt + i];
  if (at < arrayLength(&records)) {
    let balls = ballsOf(asked[i]);
    records[at] = contactOfBalls(asked[i], balls, gapOf(balls).y, SURE);
  }
}
