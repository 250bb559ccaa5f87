// requires contacts/rows/run-begins.wgsl
// Loads of each body: those of its runs, in their order. A thread per body.

@compute @workgroup_size(GROUP)
fn sumLoads(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let body = id.x + id.y * groups.x * GROUP;
  if (body >= params.bodies) {
    return;
  }
  var force = vec3f();
  var torque = vec3f();
  var at = starts[body];
  let end = starts[body + 1u];
  while (at < end) {
    // `sum-runs.wgsl` says what is where.
    let run = runOf[at];
    if (run > 0u) {
      force += runs[run - 1u].force;
      torque += runs[run - 1u].torque;
    }
    let next = at + 1u;
    let isOne = next >= end || entries[next] >= RUN_BEGINS;
    at = select(runOf[next], next, isOne);
  }
  loads[body].force = force;
  loads[body].torque = torque;
}
