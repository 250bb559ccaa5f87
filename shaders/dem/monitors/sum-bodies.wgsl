// requires common/turns.wgsl
// requires contacts/cells-between.wgsl
// requires dem/monitors/add-body-sums.wgsl
// Energies and momenta of bodies at the end of the step under way, and which of them may not go on. Twin: `#sumUp` of
// src/dem/cpu/cpu-steps.ts.

const DRIVEN = 2u;
const SERVO = 8u;
const PRESENT = 1u;
const REMOVED = 2u;
const EXPONENT = 0x7f800000u;

// Looks at the bits: comparisons of floats may assume that all numbers are finite.
fn isFinite(v: vec3f) -> bool {
  return all((bitcast<vec3u>(v) & vec3u(EXPONENT)) != vec3u(EXPONENT));
}

// The coordinate, in cells, of a centroid: whole cells may have more digits than a float32.
fn placeOf(cell: vec3i, fraction: vec3u) -> Twofold {
  let whole = sumOf(vec3f(cell >> vec3u(16u)) * 0x1p16f, vec3f(cell & vec3i(0xffff)));
  return add(whole, Twofold(vec3f(fraction) * 0x1p-32f, vec3f(0.0)));
}

// The way of a body from its place at first.
fn wayOf(body: u32, at: MotionBody) -> vec3f {
  let start = starts[body];
  let length = vec3f(control.lengthCell) + vec3f(control.lengthFraction) * 0x1p-32f;
  let through = vec3f(vec3i(at.turnsX, at.turnsY, at.turnsZ)) * length;
  return control.cell * (through + wayInCells(start.cell, start.fraction, at.cell, at.fraction));
}

fn sumsOfBody(body: u32) -> BodySums {
  var sums = BodySums();
  let own = constants[body];
  let now = state[(1u - control.current) * control.count + body];
  let last = state[control.current * control.count + body];
  let before = last.status;
  sums.present = select(0u, 1u, now.status == PRESENT);
  sums.gone = select(0u, 1u, now.status == REMOVED);
  if (now.status != PRESENT && before != PRESENT) {
    return sums;
  }
  let position = vec3f(now.cell) + vec3f(now.fraction) * 0x1p-32f;
  let isOut = any(position < control.low) || any(position > control.high);
  if ((own.flags & DRIVEN) != 0u) {
    if ((own.flags & SERVO) != 0u && isOut) {
      atomicMin(&checks.escaped, body);
    }
    // Impulses count what driven bodies do.
    if (control.isByImpulses == 0u) {
      sums.driven = -(dot(now.force, now.velocity) + dot(now.torque, now.momentum));
    }
    return sums;
  }
  if (own.inverseMass == 0.0) {
    return sums;
  }
  // A momentum that is finite may turn a body by more than the turn's polynomial holds.
  let isTurned = all((bitcast<vec4u>(now.rotation) & vec4u(EXPONENT)) != vec4u(EXPONENT));
  if (!isFinite(now.velocity) || !isFinite(now.momentum) || !isTurned) {
    atomicMin(&checks.notFinite, body);
  } else if (isOut) {
    atomicMin(&checks.escaped, body);
  }
  let mass = 1.0 / own.inverseMass;
  let way = wayOf(body, now);
  let spin = spinOf(now.rotation, now.momentum, own.inverseMoments);
  let kinetic = 0.5 * (mass * dot(now.velocity, now.velocity) + dot(now.momentum, spin));
  let weight = gravities[control.row];
  if (now.status == REMOVED) {
    // The body left under the loads of the step before, so its weight is the one before.
    sums.removed = kinetic - mass * dot(weight.now - weight.change, way);
    return sums;
  }
  let gravity = -mass * dot(weight.now, way);
  if (before == PRESENT && control.timeStep > 0.0) {
    // Twin: `#workOfGravity`. By v = v1 - h a1 / 2 its way (w0 + w1) / 2 - h (v1 - v0) / 4 is
    // w1 - h v1 / 2 + h^2 (a1 - a0) / 8.
    let time = control.timeStep;
    let bent = 0.125 * time * time * own.inverseMass * (now.force - last.force);
    var mean = way - 0.5 * time * now.velocity + bent;
    if (control.isByImpulses != 0u) {
      mean = 0.5 * (way + wayOf(body, last));
    }
    sums.weighed = -mass * dot(weight.change, mean);
  }
  sums.inserted = select(kinetic + gravity, 0.0, before == PRESENT);
  // Two floats hold each number: momenta of many bodies may nearly cancel, and their sum has to be right all the same.
  let inverse = vec3f(own.inverseMass);
  let product = multiply(Twofold(vec3f(mass), vec3f(0.0)), Twofold(inverse, vec3f(0.0)));
  let rest = (1.0 - product.high) - product.low;
  let momentum = multiply(Twofold(vec3f(mass), mass * rest), Twofold(now.velocity, now.velocityLow));
  let place = multiply(placeOf(now.cell, now.fraction), Twofold(vec3f(control.cell), vec3f(0.0)));
  let angular = add(crossOf(place, momentum), Twofold(now.momentum, now.momentumLow));
  sums.momentum = momentum.high;
  sums.momentumLow = momentum.low;
  sums.angularMomentum = angular.high;
  sums.angularMomentumLow = angular.low;
  sums.kinetic = kinetic;
  sums.gravity = gravity;
  sums.driven = dot(own.appliedForce, now.velocity) + dot(own.appliedTorque, spin);
  return sums;
}

@compute @workgroup_size(GROUP)
fn sumBodies(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let span = id.x + id.y * groups.x * GROUP;
  if (span * SPAN >= control.count || control.stop != 0u) {
    return;
  }
  zero = vec3u(control.zero);
  var sums = BodySums();
  for (var body = span * SPAN; body < min((span + 1u) * SPAN, control.count); body++) {
    sums = addBodySums(sums, sumsOfBody(body));
  }
  spans[span] = sums;
}
