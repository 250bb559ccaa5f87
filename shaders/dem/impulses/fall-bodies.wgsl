// requires convex/pair/twofold.wgsl
// Gravity in a substep, its mean over the step. Twin: `fall` of src/dem/impulses/row-solver.ts. A thread per body.

@compute @workgroup_size(GROUP)
fn fallBodies(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let body = id.x + id.y * groups.x * GROUP;
  if (body >= control.count || control.stop != 0u || control.timeStep == 0.0) {
    return;
  }
  let inverse = solver[body].inverseMass;
  if (inverse == 0.0) {
    return;
  }
  zero = vec3u(control.zero);
  let h = control.timeStep / f32(params.substeps);
  let weight = gravities[control.row];
  let g = weight.now - 0.5 * weight.change;
  let v = Twofold(solver[body].velocity, solver[body].velocityLow);
  // Energy that gravity brings in. The way that bodies fall takes it out again.
  if (solver[body].isHeld == 1u) {
    solver[body].gained += (h * dot(g, v.high) + 0.5 * h * h * dot(g, g)) / inverse;
  }
  let after = add(v, Twofold(h * g, vec3f(0.0)));
  solver[body].velocity = after.high;
  solver[body].velocityLow = after.low;
}
