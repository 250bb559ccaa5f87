// requires contacts/convex/balls.wgsl
// requires convex/pair/open-list.wgsl
// Where all shapes are balls: how many contacts each pair has, and which pairs float64 has to decide. These have a
// contact, too, where they may overlap. Twin: src/contacts/convex/balls.ts. A thread per pair.

@compute @workgroup_size(GROUP)
fn findBallContacts(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= sizes[0].w) {
    return;
  }
  let balls = ballsOf(asked[i]);
  let kind = kindOfPair(balls);
  // Where nothing can be said there is no record.
  counts[params.countsAt + i] = select(0u, 1u, kind != APART && balls.unit > 0.0);
  if (kind == UNSURE) {
    leaveOpen(i);
  }
}
