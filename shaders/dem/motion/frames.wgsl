// requires common/turns.wgsl
// requires contacts/cells-between.wgsl
// requires dem/motion/places.wgsl
// Statuses of bodies after a step, and the frames of their shapes. Bindings: `control`, `state`, `bodies`, `planes`.

const ABSENT = 0u;
const PRESENT = 1u;
const REMOVED = 2u;
// Bits of `ContactBody.flags`.
const AWAY = 2u;

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
    let way = wayInCells(plane.cell, plane.fraction, place.cell, place.fraction);
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

// The place of the shape's frame.
fn putFrame(body: u32, own: BodyConstants, place: Place, rotation: vec4f) {
  var frame = turnAfter(rotation, own.shapeToPrincipal);
  frame *= inverseSqrt(dot(frame, frame));
  let origin = placeMoved(place, -turned(frame, own.centroid) / control.cell);
  bodies[body].cell = origin.cell;
  bodies[body].fraction = origin.fraction;
  bodies[body].quaternion = frame;
}
