// requires contacts/convex/balls.wgsl
// Flags the pairs that have to be solved: their balls are not surely apart. Two balls that surely overlap need no
// solver.

@compute @workgroup_size(GROUP)
fn findNear(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i < sizes[0].w) {
    flags[i] = kindOfPair(ballsOf(asked[i]));
  }
}
