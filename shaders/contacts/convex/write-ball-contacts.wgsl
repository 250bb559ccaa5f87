// requires contacts/convex/ball-contact.wgsl
// Contacts where all shapes are balls, in the order of pairs. A thread per pair.

const SURE = 0u;
const IS_BOUNDED = 1u;
const IS_OPEN = 2u;

@compute @workgroup_size(GROUP)
fn writeBallContacts(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= sizes[0].w) {
    return;
  }
  let at = offsets[params.countsAt + i];
  if (at == offsets[params.countsAt + i + 1u] || at >= arrayLength(&records)) {
    return;
  }
  let balls = ballsOf(asked[i]);
  let gap = gapOf(balls);
  let isSure = kindOfPair(balls) == OVERLAPPING_BALLS;
  let unsure = select(IS_OPEN, IS_BOUNDED, gap.y <= -roundingOf(balls, gap.x));
  // Balls that touch may be apart by less than float32 tells.
  records[at] = contactOfBalls(asked[i], balls, 0.0, select(unsure, SURE, isSure));
}
