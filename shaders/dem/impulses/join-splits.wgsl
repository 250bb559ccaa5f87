// requires contacts/rows/run-begins.wgsl
// Gives bodies what came out of the pairs past the last colour: the mean of what became of their parts. A thread per
// body.

@compute @workgroup_size(GROUP)
fn joinSplits(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groupCount: vec3u) {
  let body = id.x + id.y * groupCount.x * GROUP;
  if (body >= control.count || control.stop != 0u || control.timeStep == 0.0 || solver[body].splits == 0.0) {
    return;
  }
  var push = vec3f();
  var turn = vec3f();
  for (var at = starts[body]; at < starts[body + 1u]; at++) {
    let entry = entries[at] & ~RUN_BEGINS;
    let pair = entry >> 1u;
    if (groups[pair].count > 0u && groups[pair].colour == params.colours) {
      let isB = (entry & 1u) == 1u;
      push += select(-groups[pair].splitPush, groups[pair].splitPush, isB);
      turn += select(groups[pair].splitTurnA, groups[pair].splitTurnB, isB);
    }
  }
  let velocity = solver[body].inverseMass * push;
  let spin = mat3x3f(solver[body].inverse0, solver[body].inverse1, solver[body].inverse2) * turn;
  solver[body].gained += dot(push, solver[body].velocity + 0.5 * velocity) +
    dot(turn, solver[body].spin + 0.5 * spin);
  solver[body].velocity += velocity;
  solver[body].spin += spin;
  solver[body].momentum += turn;
}
