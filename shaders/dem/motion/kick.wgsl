// requires convex/pair/twofold.wgsl
// The end of a step: loads where bodies are now, and the other half of the change of velocities and momenta. Twin:
// `kick` of src/dem/motion/motion.ts. By impulses bodies have moved already: mean loads are noted alone.

const PRESENT = 1u;
const SERVO = 8u;
const DRIVEN_SHIFT = 8u;

@compute @workgroup_size(GROUP)
fn kick(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let body = id.x + id.y * groups.x * GROUP;
  if (body >= control.count || control.stop != 0u) {
    return;
  }
  let isByImpulses = control.isByImpulses != 0u;
  if (isByImpulses && control.timeStep == 0.0) {
    return;
  }
  zero = vec3u(control.zero);
  let own = constants[body];
  let at = (1u - control.current) * control.count + body;
  if (own.inverseMass == 0.0 || state[at].status != PRESENT) {
    state[at].force = loads[body].force;
    state[at].torque = loads[body].torque;
    if ((own.flags & SERVO) != 0u) {
      let place = driven[control.row * control.driven + (own.flags >> DRIVEN_SHIFT)];
      let load = place.push + dot(loads[body].force, place.velocity);
      state[at].velocity = (place.keep * dot(state[at].velocity, place.velocity) + place.gain * load) * place.velocity;
    }
    return;
  }
  let weight = gravities[control.row].now - select(vec3f(), 0.5 * gravities[control.row].change, isByImpulses);
  let force = loads[body].force + weight / own.inverseMass + own.appliedForce;
  let torque = loads[body].torque + own.appliedTorque;
  state[at].force = force;
  state[at].torque = torque;
  // A body that has just appeared begins with its own speeds.
  if (isByImpulses || state[control.current * control.count + body].status != PRESENT) {
    return;
  }
  let time = 0.5 * control.timeStep;
  let velocity = add(
    Twofold(state[at].velocity, state[at].velocityLow),
    Twofold(time * own.inverseMass * force, vec3f(0.0)),
  );
  let momentum = add(Twofold(state[at].momentum, state[at].momentumLow), Twofold(time * torque, vec3f(0.0)));
  state[at].velocity = velocity.high;
  state[at].velocityLow = velocity.low;
  state[at].momentum = momentum.high;
  state[at].momentumLow = momentum.low;
}
