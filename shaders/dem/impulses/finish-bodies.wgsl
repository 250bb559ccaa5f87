// requires convex/pair/twofold.wgsl
// requires dem/motion/frames.wgsl
// The end of a step's way: driven bodies are where they belong, others where substeps have brought them, and those
// beyond a plane are gone. Twin: `#push` and `#remove` of src/dem/cpu/cpu-steps.ts. A thread per body.

const STATIC = 1u;
const DRIVEN = 2u;
const DRIVEN_SHIFT = 8u;

@compute @workgroup_size(GROUP)
fn finishBodies(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groupCount: vec3u) {
  let body = id.x + id.y * groupCount.x * GROUP;
  if (body >= control.count || control.stop != 0u) {
    return;
  }
  zero = vec3u(control.zero);
  let own = constants[body];
  let half = (1u - control.current) * control.count;
  let last = state[control.current * control.count + body];
  setStatus(body, half, statusOf(body, own.appearsAt));
  if ((own.flags & DRIVEN) != 0u) {
    drive(body, half, driven[control.row * control.driven + (own.flags >> DRIVEN_SHIFT)]);
    return;
  }
  if ((own.flags & STATIC) != 0u || last.status != PRESENT) {
    return;
  }
  let place = Place(state[half + body].cell, state[half + body].fraction, state[half + body].carry);
  if (control.timeStep > 0.0) {
    let velocity = add(Twofold(solver[body].velocity, solver[body].velocityLow), Twofold(vec3f(0.0), vec3f(0.0)));
    let momentum = add(Twofold(solver[body].momentum, last.momentumLow), Twofold(vec3f(0.0), vec3f(0.0)));
    state[half + body].velocity = velocity.high;
    state[half + body].velocityLow = velocity.low;
    state[half + body].momentum = momentum.high;
    state[half + body].momentumLow = momentum.low;
    if (isBeyond(place)) {
      setStatus(body, half, REMOVED);
    }
    let way = control.cell * wayInCells(last.cell, last.fraction, place.cell, place.fraction);
    if (own.radius > 0.0 && length(way) > params.farthest * own.radius) {
      atomicMin(&checks.tooFar, body);
    }
  }
  putFrame(body, own, place, state[half + body].rotation);
}
