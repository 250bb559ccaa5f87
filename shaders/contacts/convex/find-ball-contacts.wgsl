// requires contacts/convex/balls.wgsl
// requires convex/pair/open-list.wgsl
// Counts the contacts of each pair, for scenes whose shapes are all balls, and lists the pairs that float64 has to
// decide. Such a pair has a contact, too, if it may overlap. Twin: src/contacts/convex/balls.ts. A thread per pair.

@compute @workgroup_size(GROUP)
fn findBallContacts(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= sizes[0].w) {
    return;
  }
  let balls = ballsOf(asked[i]);
  let kind = kindOfPair(balls);
  // A pair without a unit has no record: nothing can be said of it.
  counts[params.countsAt + i] = select(0u, 1u, kind != APART && balls.unit > 0.0);
  if (kind == UNSURE) {
    leaveOpen(i);
  }
}
