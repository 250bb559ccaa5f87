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
    let run = runs[at];
    force += run.force;
    torque += run.torque;
    at = run.end;
  }
  loads[body].force = force;
  loads[body].torque = torque;
}
