// requires dem/motion/free-turn.wgsl
// requires dem/motion/places.wgsl
// requires dem/impulses/solver-body.wgsl
// Moves bodies on by a substep. Those that nothing holds fall on a parabola. Twins: `drift` of
// src/dem/impulses/row-solver.ts and of solver-bodies.ts. A thread per body.

@compute @workgroup_size(GROUP)
fn moveBodies(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let body = id.x + id.y * groups.x * GROUP;
  if (body >= control.count || control.stop != 0u || control.timeStep == 0.0) {
    return;
  }
  zero = vec3u(control.zero);
  let h = control.timeStep / f32(params.substeps);
  let inverse = solver[body].inverseMass;
  let isDriven = solver[body].isDriven == 1u;
  if (inverse == 0.0 && !isDriven) {
    return;
  }
  let v = solver[body].velocity;
  solver[body].way += h * select(v, v - solver[body].surface, isDriven);
  solver[body].turn += h * solver[body].spin;
  if (isDriven) {
    // `finish-bodies` puts it where it belongs at the step's end.
    return;
  }
  let weight = gravities[control.row];
  let g = weight.now - 0.5 * weight.change;
  var way = h * v;
  if (solver[body].isHeld == 1u) {
    solver[body].gained -= h * dot(g, v) / inverse;
  } else {
    way -= 0.5 * h * h * g;
  }
  let at = (1u - control.current) * control.count + body;
  let place = placeMoved(Place(state[at].cell, state[at].fraction, state[at].carry), way / control.cell);
  state[at].cell = place.cell;
  state[at].fraction = place.fraction;
  state[at].carry = place.carry;
  let momentum = solver[body].momentum;
  let moments = constants[body].inverseMoments;
  let rotation = rotationAfter(state[at].rotation, state[at].rotationLow, momentum, moments, h);
  state[at].rotation = rotation.high;
  state[at].rotationLow = rotation.low;
  let world = inverseInWorld(rotation.high, moments);
  solver[body].inverse0 = world[0];
  solver[body].inverse1 = world[1];
  solver[body].inverse2 = world[2];
  solver[body].spin = world * momentum;
}
