// requires dem/motion/turns.wgsl
// requires contacts/cells-between.wgsl
// requires dem/monitors/add-body-sums.wgsl
// Energies and momenta of bodies at the end of the step under way, and which of them may not go on. Twin: `#sumUp` of
// src/dem/cpu/cpu-steps.ts.

const DRIVEN = 2u;
const PRESENT = 1u;
const REMOVED = 2u;
const EXPONENT = 0x7f800000u;

// By the bits: comparisons may take it that there is nothing else.
fn isFinite(v: vec3f) -> bool {
  return all((bitcast<vec3u>(v) & vec3u(EXPONENT)) != vec3u(EXPONENT));
}

fn sumsOfBody(body: u32) -> BodySums {
  var sums = BodySums();
  let own = constants[body];
  let now = state[(1u - control.current) * control.count + body];
  let before = state[control.current * control.count + body].status;
  sums.present = select(0u, 1u, now.status == PRESENT);
  sums.gone = select(0u, 1u, now.status == REMOVED);
  if (now.status != PRESENT && before != PRESENT) {
    return sums;
  }
  if ((own.flags & DRIVEN) != 0u) {
    sums.driven = -(dot(now.force, now.velocity) + dot(now.torque, now.momentum));
    return sums;
  }
  if (own.inverseMass == 0.0) {
    return sums;
  }
  let position = vec3f(now.cell) + vec3f(now.fraction) * 0x1p-32f;
  if (!isFinite(now.velocity) || !isFinite(now.momentum)) {
    atomicMin(&checks.notFinite, body);
  } else if (any(position < control.low) || any(position > control.high)) {
    atomicMin(&checks.escaped, body);
  }
  let mass = 1.0 / own.inverseMass;
  let start = starts[body];
  let length = vec3f(control.lengthCell) + vec3f(control.lengthFraction) * 0x1p-32f;
  let through = vec3f(vec3i(now.turnsX, now.turnsY, now.turnsZ)) * length;
  let way = control.cell * (through + vec3f(
    cellsBetween(start.cell.x, start.fraction.x, now.cell.x, now.fraction.x),
    cellsBetween(start.cell.y, start.fraction.y, now.cell.y, now.fraction.y),
    cellsBetween(start.cell.z, start.fraction.z, now.cell.z, now.fraction.z),
  ));
  let spin = spinOf(now.rotation, now.momentum, own.inverseMoments);
  let kinetic = 0.5 * (mass * dot(now.velocity, now.velocity) + dot(now.momentum, spin));
  let gravity = -mass * dot(control.gravity, way);
  if (now.status == REMOVED) {
    sums.removed = kinetic + gravity;
    return sums;
  }
  sums.inserted = select(kinetic + gravity, 0.0, before == PRESENT);
  sums.momentum = mass * now.velocity;
  sums.kinetic = kinetic;
  sums.angularMomentum = now.momentum + cross(control.cell * position, sums.momentum);
  sums.gravity = gravity;
  return sums;
}

@compute @workgroup_size(GROUP)
fn sumBodies(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let span = id.x + id.y * groups.x * GROUP;
  if (span * SPAN >= control.count || control.stop != 0u) {
    return;
  }
  var sums = BodySums();
  for (var body = span * SPAN; body < min((span + 1u) * SPAN, control.count); body++) {
    sums = addBodySums(sums, sumsOfBody(body));
  }
  spans[span] = sums;
}
