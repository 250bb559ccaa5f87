// requires common/turns.wgsl
// requires contacts/rows/run-begins.wgsl
// requires dem/forces/spin.wgsl
// requires dem/impulses/colour-states.wgsl
// requires dem/impulses/solver-body.wgsl
// Bodies at the start of a step: those of the last whole one, and what impulses need of them. A thread per body.

const PRESENT = 1u;

@compute @workgroup_size(GROUP)
fn beginBodies(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let body = id.x + id.y * groups.x * GROUP;
  if (body >= control.count || control.stop != 0u) {
    return;
  }
  let now = state[control.current * control.count + body];
  state[(1u - control.current) * control.count + body] = now;
  if (control.timeStep == 0.0) {
    return;
  }
  let own = constants[body];
  let moves = own.inverseMass > 0.0 && now.status == PRESENT;
  var one = SolverBody();
  one.velocity = now.velocity;
  one.velocityLow = now.velocityLow;
  one.momentum = now.momentum;
  one.spin = angularVelocity(now, own);
  one.surface = surfaceVelocity(now);
  one.isDriven = select(0u, 1u, (own.flags & IS_DRIVEN) != 0u);
  one.cell = now.cell;
  one.fraction = now.fraction;
  one.centroid = turned(now.rotation, turned(own.shapeToPrincipal, own.centroid));
  one.material = own.material;
  one.radius = own.radius;
  if (moves) {
    one.inverseMass = own.inverseMass;
    let inverse = inverseInWorld(now.rotation, own.inverseMoments);
    one.inverse0 = inverse[0];
    one.inverse1 = inverse[1];
    one.inverse2 = inverse[2];
    var splits = 0u;
    for (var at = starts[body]; at < starts[body + 1u]; at++) {
      let taken = colours[(entries[at] & ~RUN_BEGINS) >> 1u].state;
      if (taken != NOTHING) {
        one.isHeld = 1u;
        // Those that no round has come to are past the last colour as well.
        splits += select(0u, 1u, (taken & 0xffu) >= params.colours);
      }
    }
    one.splits = f32(splits);
  }
  solver[body] = one;
}
