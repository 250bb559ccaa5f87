// requires broadphase/header.wgsl
// requires convex/pair/twofold.wgsl
// The end of a step, by one thread. Either the step under way becomes the last whole one, with what it did to the
// energies, or it says why not, and all stays as it was.

// `StopReason` of src/dem/gpu/step-layout.ts.
const ROOM = 1u;
const NOT_FINITE = 2u;
const STEP_TOO_LONG = 3u;
const TOO_DEEP = 4u;
const ESCAPED = 5u;
const BALANCE = 6u;
const BLOCKED = 7u;
const LIST = 8u;
const TOO_FAR = 9u;
const NO_BODY = 0xffffffffu;

// Words of `ContactHeader` of src/contacts/gpu/header.ts.
fn isShort() -> bool {
  return header[0] > header[1] || header[2] > header[3] || header[4] > header[5] || header[7] > header[15] ||
    header[17] > header[16] || header[11] > header[12] || header[13] > header[14];
}

fn stopFor(reason: u32, body: u32, partner: u32, value: f32) {
  control.stop = reason;
  control.stopBody = body;
  control.stopPartner = partner;
  control.stopValue = value;
}

// Tells whether there is a reason not to go on, of the bodies or of their contacts, and notes it.
fn isStopped(notFinite: u32, escaped: u32, tooFar: u32) -> bool {
  // A list that is not there yet serves nobody.
  let isStale = list[SERVES] == 0u || list[MOVED] > bitcast<u32>(control.listAllowed);
  if (list[REBUILT] == 0u && isStale) {
    stopFor(LIST, NO_BODY, NO_BODY, 0.0);
  } else if (isShort()) {
    stopFor(ROOM, NO_BODY, NO_BODY, 0.0);
  } else if (tooFar != NO_BODY) {
    stopFor(TOO_FAR, tooFar, NO_BODY, 0.0);
  } else if (notFinite != NO_BODY) {
    stopFor(NOT_FINITE, notFinite, NO_BODY, 0.0);
  } else if (escaped != NO_BODY) {
    stopFor(ESCAPED, escaped, NO_BODY, 0.0);
  } else if (forces.newShare > control.mostDepthAtFirst) {
    stopFor(BLOCKED, forces.newA, forces.newB, forces.newDepth);
  } else if (forces.largestFrequency > control.mostFrequency) {
    stopFor(STEP_TOO_LONG, forces.stiffestA, forces.stiffestB, forces.largestFrequency);
  } else if (forces.deepestShare > control.mostDepth) {
    stopFor(TOO_DEEP, forces.deepestA, forces.deepestB, forces.deepest);
  }
  return control.stop != 0u;
}

@compute @workgroup_size(1)
fn endStep() {
  let notFinite = atomicExchange(&checks.notFinite, NO_BODY);
  let escaped = atomicExchange(&checks.escaped, NO_BODY);
  let tooFar = atomicExchange(&checks.tooFar, NO_BODY);
  if (control.stop != 0u || isStopped(notFinite, escaped, tooFar)) {
    return;
  }
  zero = vec3u(control.zero);
  let sums = spans[0];
  let before = monitors;
  let half = 0.5 * control.timeStep;
  let powers = vec3f(forces.dashpots, forces.rolling, sums.driven + forces.belts);
  // Energy that springs still hold is not lost yet: of tangential springs, and of those against rolling.
  let released = (before.rolled - forces.heldRolled) - forces.rolled;
  let done = half * (before.powers + powers) +
    vec3f(forces.bounced, forces.rolledOff + released, forces.work + sums.weighed);
  let work = add(Twofold(before.work, before.workLow), Twofold(done, vec3f(0.0)));
  let slid = half * (before.frictionPower + forces.friction) + ((before.tangential - forces.held) - forces.tangential) +
    forces.slid;
  let exchange = vec3f(sums.inserted + forces.inserted, sums.removed + forces.removed, forces.pushed);
  let exchanged = add(Twofold(before.exchanged, before.exchangedLow), Twofold(exchange, vec3f(0.0)));
  let elastic = forces.elastic + forces.tangential + forces.rolled;
  let turned = abs(sums.kinetic - before.sums.kinetic) + abs(sums.gravity - before.sums.gravity) +
    abs(elastic - before.elastic) + abs(slid) + dot(abs(done) + abs(exchange), vec3f(1.0));
  let change = vec3f(slid, turned, 0.0);
  var friction = add(Twofold(before.friction, before.frictionLow), Twofold(change, vec3f(0.0)));
  let balance = sums.kinetic + sums.gravity + elastic + work.high.x + work.high.y + friction.high.x - work.high.z +
    (exchanged.high.y - exchanged.high.x) - exchanged.high.z;
  if (control.timeStep == 0.0) {
    // Bodies may have been put anywhere: what follows is held against this.
    monitors.balance = balance;
    friction.high.y = sums.kinetic + abs(elastic);
    friction.low.y = 0.0;
  } else if (abs(balance - before.balance) > control.mostImbalance * (friction.high.y + control.leastTurnover)) {
    stopFor(BALANCE, forces.stiffestA, forces.stiffestB, balance - before.balance);
    return;
  }
  monitors.sums = sums;
  monitors.work = work.high;
  monitors.workLow = work.low;
  monitors.elastic = elastic;
  monitors.tangential = forces.tangential;
  monitors.rolled = forces.rolled;
  monitors.friction = friction.high;
  monitors.frictionLow = friction.low;
  // A step may give something back: docs/dem.md, "What was lost".
  let taken = Twofold(
    vec3f(work.high.xy, friction.high.x),
    vec3f(work.low.xy, friction.low.x),
  );
  let isMore = (taken.high - before.lost) + (taken.low - before.lostLow) > vec3f(0.0);
  // A gain by impulses is no error of the step.
  let isTaken = isMore | vec3<bool>(control.isByImpulses != 0u);
  monitors.lost = select(before.lost, taken.high, isTaken);
  monitors.lostLow = select(before.lostLow, taken.low, isTaken);
  monitors.exchanged = exchanged.high;
  monitors.exchangedLow = exchanged.low;
  monitors.deepest = forces.deepest;
  monitors.largestFrequency = forces.largestFrequency;
  monitors.powers = powers;
  monitors.frictionPower = forces.friction;
  monitors.contacts = forces.contacts;
  monitors.open = forces.open;
  control.steps += select(1u, 0u, control.timeStep == 0.0);
  control.row += 1u;
  control.listAge = select(control.listAge + 1u, 0u, list[REBUILT] == 1u);
  control.listShare = select(bitcast<f32>(list[MOVED]) / control.listAllowed, 0.0, list[REBUILT] == 1u);
  control.current = 1u - control.current;
}
