// requires convex/pair/twofold.wgsl
// requires dem/motion/frames.wgsl
// requires dem/motion/free-turn.wgsl
// The first half of a step: velocities and momenta change by half a step of the loads, then bodies move on. Twins:
// `kick` and `drift` of src/dem/motion/motion.ts.

const STATIC = 1u;
const DRIVEN = 2u;
const SERVO = 8u;
const DRIVEN_SHIFT = 8u;

// The first half of a servo wall's step, and its way. Twin: `#moveServos` of src/dem/cpu/cpu-steps.ts.
fn press(body: u32, half: u32, own: BodyConstants, place: DrivenPlace) {
  let before = state[control.current * control.count + body];
  let load = place.pushBefore + dot(before.force, place.velocity);
  let velocity = (place.keep * dot(before.velocity, place.velocity) + place.gain * load) * place.velocity;
  let at = placeMoved(Place(before.cell, before.fraction, before.carry), control.timeStep * velocity / control.cell);
  state[half + body].cell = at.cell;
  state[half + body].fraction = at.fraction;
  state[half + body].carry = at.carry;
  state[half + body].velocity = velocity;
  state[half + body].velocityLow = vec3f(0.0);
  state[half + body].momentum = vec3f(0.0);
  state[half + body].momentumLow = vec3f(0.0);
  putFrame(body, own, at, before.rotation);
}

@compute @workgroup_size(GROUP)
fn drift(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let body = id.x + id.y * groups.x * GROUP;
  if (body >= control.count || control.stop != 0u) {
    return;
  }
  zero = vec3u(control.zero);
  let own = constants[body];
  let half = (1u - control.current) * control.count;
  let status = statusOf(body, own.appearsAt);
  setStatus(body, half, status);
  if ((own.flags & DRIVEN) != 0u) {
    let place = driven[control.row * control.driven + (own.flags >> DRIVEN_SHIFT)];
    if ((own.flags & SERVO) != 0u) {
      press(body, half, own, place);
    } else {
      drive(body, half, place);
    }
    return;
  }
  // Both halves have the place of a static body.
  if ((own.flags & STATIC) != 0u) {
    return;
  }
  var now = state[control.current * control.count + body];
  if (now.status != PRESENT) {
    // It begins as it is.
    now.status = status;
    state[half + body] = now;
    return;
  }
  let time = control.timeStep;
  let velocity = add(
    Twofold(now.velocity, now.velocityLow),
    Twofold(0.5 * time * own.inverseMass * now.force, vec3f(0.0)),
  );
  let momentum = add(Twofold(now.momentum, now.momentumLow), Twofold(0.5 * time * now.torque, vec3f(0.0)));
  now.velocity = velocity.high;
  now.velocityLow = velocity.low;
  now.momentum = momentum.high;
  now.momentumLow = momentum.low;
  let place = placeMoved(Place(now.cell, now.fraction, now.carry), time * velocity.high / control.cell);
  now.cell = place.cell;
  now.fraction = place.fraction;
  now.carry = place.carry;
  if (isBeyond(place)) {
    // The body leaves with the speeds that the loads before would have led to.
    now.status = REMOVED;
    let last = add(velocity, Twofold(0.5 * time * own.inverseMass * now.force, vec3f(0.0)));
    let lastMomentum = add(momentum, Twofold(0.5 * time * now.torque, vec3f(0.0)));
    now.velocity = last.high;
    now.velocityLow = last.low;
    now.momentum = lastMomentum.high;
    now.momentumLow = lastMomentum.low;
    setStatus(body, half, REMOVED);
  }

  let rotation = rotationAfter(now.rotation, now.rotationLow, momentum.high, own.inverseMoments, time);
  now.rotation = rotation.high;
  now.rotationLow = rotation.low;
  state[half + body] = now;
  putFrame(body, own, place, now.rotation);
}
