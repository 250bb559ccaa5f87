// requires contacts/cells-between.wgsl
// requires convex/pair/twofold.wgsl
// requires common/turns.wgsl
// requires dem/motion/places.wgsl
// The first half of a step: velocities and momenta change by half a step of the loads, then bodies move on. Twins:
// `kick` and `drift` of src/dem/motion/motion.ts.

const ABSENT = 0u;
const PRESENT = 1u;
const REMOVED = 2u;
// Of `ContactBody.flags`.
const AWAY = 2u;
const STATIC = 1u;
const DRIVEN = 2u;
const SERVO = 8u;
const DRIVEN_SHIFT = 8u;
// How far the square of a quaternion's length may be from 1 before it is made unit: above what rounding makes of it.
const UNIT_WITHIN = 0x1p-21f;

// A turn by a small angle: its quaternion is xyz, 1 - less.
struct SmallTurn {
  xyz: vec3f,
  less: f32,
}

// The turn of b, then that of a.
fn smallTurnAfter(a: SmallTurn, b: SmallTurn) -> SmallTurn {
  return SmallTurn(
    a.xyz + b.xyz + (cross(a.xyz, b.xyz) - b.less * a.xyz - a.less * b.xyz),
    a.less + b.less + (dot(a.xyz, b.xyz) - a.less * b.less),
  );
}

// The tangent of x, to 2^-23 of it up to 0.3. WGSL's sines are off by 2^-11. Turns by an angle that is off a little
// are turns nonetheless: nothing but the angle is.
fn tangent(x: f32) -> f32 {
  let s = x * x;
  return x + x * s * (1.0 / 3.0 + s * (2.0 / 15.0 + s * (17.0 / 315.0 + s * (62.0 / 2835.0))));
}

struct FreeTurn {
  turn: SmallTurn,
  // Angular momentum in the principal frame.
  momentum: vec3f,
}

// A turn by `time` about one principal axis after what was turned so far. `first` and `second` are the axes after it.
fn turnedAbout(so: FreeTurn, axis: vec3f, first: vec3f, second: vec3f, inverse: f32, time: f32) -> FreeTurn {
  let angle = time * inverse * dot(axis, so.momentum);
  let u = tangent(0.25 * angle);
  let s = 2.0 * u / (1.0 + u * u);
  let less = 2.0 * u * u / (1.0 + u * u);
  let sine = 2.0 * s * (1.0 - less);
  let lessCosine = 2.0 * s * s;
  let l1 = dot(first, so.momentum);
  let l2 = dot(second, so.momentum);
  let momentum = so.momentum + (sine * l2 - lessCosine * l1) * first - (sine * l1 + lessCosine * l2) * second;
  return FreeTurn(smallTurnAfter(so.turn, SmallTurn(s * axis, less)), momentum);
}

// How a body turns in its principal frame.
fn freeTurn(momentum: vec3f, inverse: vec3f, time: f32) -> SmallTurn {
  let x = vec3f(1.0, 0.0, 0.0);
  let y = vec3f(0.0, 1.0, 0.0);
  let z = vec3f(0.0, 0.0, 1.0);
  var so = FreeTurn(SmallTurn(vec3f(0.0), 0.0), momentum);
  so = turnedAbout(so, x, y, z, inverse.x, 0.5 * time);
  so = turnedAbout(so, y, z, x, inverse.y, 0.5 * time);
  so = turnedAbout(so, z, x, y, inverse.z, time);
  so = turnedAbout(so, y, z, x, inverse.y, 0.5 * time);
  so = turnedAbout(so, x, y, z, inverse.x, 0.5 * time);
  return so.turn;
}

// Status of a body after the step under way, if it is not removed. No body appears while no time passes.
fn statusOf(body: u32, appearsAt: u32) -> u32 {
  let status = state[control.current * control.count + body].status;
  let isDue = control.timeStep > 0.0 && control.steps + 1u >= appearsAt;
  return select(status, PRESENT, status == ABSENT && isDue);
}

// Twin: `isBeyond` of src/dem/scene/comings-and-goings.ts.
fn isBeyond(place: Place) -> bool {
  for (var i = 0u; i < control.planes; i++) {
    let plane = planes[i];
    let way = vec3f(
      cellsBetween(plane.cell.x, plane.fraction.x, place.cell.x, place.fraction.x),
      cellsBetween(plane.cell.y, plane.fraction.y, place.cell.y, place.fraction.y),
      cellsBetween(plane.cell.z, plane.fraction.z, place.cell.z, place.fraction.z),
    );
    if (dot(plane.normal, way) > 0.0) {
      return true;
    }
  }
  return false;
}

// Contacts are found of bodies that are there.
fn setStatus(body: u32, half: u32, status: u32) {
  state[half + body].status = status;
  bodies[body].flags = (bodies[body].flags & ~AWAY) | select(AWAY, 0u, status == PRESENT);
}

fn drive(body: u32, half: u32, place: DrivenPlace) {
  state[half + body].cell = place.cell;
  state[half + body].fraction = place.fraction;
  state[half + body].rotation = place.rotation;
  state[half + body].velocity = place.velocity;
  state[half + body].momentum = place.angularVelocity;
  state[half + body].surfaceX = place.surfaceVelocity.x;
  state[half + body].surfaceY = place.surfaceVelocity.y;
  state[half + body].surfaceZ = place.surfaceVelocity.z;
  bodies[body].cell = place.originCell;
  bodies[body].fraction = place.originFraction;
  bodies[body].quaternion = place.quaternion;
}

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

// Where the shape's frame is.
fn putFrame(body: u32, own: BodyConstants, place: Place, rotation: vec4f) {
  var frame = turnAfter(rotation, own.shapeToPrincipal);
  frame *= inverseSqrt(dot(frame, frame));
  let origin = placeMoved(place, -turned(frame, own.centroid) / control.cell);
  bodies[body].cell = origin.cell;
  bodies[body].fraction = origin.fraction;
  bodies[body].quaternion = frame;
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

  let q = now.rotation;
  let turn = freeTurn(turned(opposite(q), momentum.high), own.inverseMoments, time);
  var change = vec4f(
    q.w * turn.xyz - turn.less * q.xyz + cross(q.xyz, turn.xyz),
    -turn.less * q.w - dot(q.xyz, turn.xyz),
  );
  let excess = dot(q, q) - 1.0;
  if (abs(excess) > UNIT_WITHIN) {
    change -= 0.5 * excess * q;
  }
  let xyz = add(Twofold(q.xyz, now.rotationLow.xyz), Twofold(change.xyz, vec3f(0.0)));
  let w = add(Twofold(q.www, now.rotationLow.www), Twofold(change.www, vec3f(0.0)));
  now.rotation = vec4f(xyz.high, w.high.x);
  now.rotationLow = vec4f(xyz.low, w.low.x);
  state[half + body] = now;
  putFrame(body, own, place, now.rotation);
}
