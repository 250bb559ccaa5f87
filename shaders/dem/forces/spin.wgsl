// requires common/turns.wgsl
// Velocities at which bodies turn, and belts run.

const IS_DRIVEN = 2u;

// Angular velocity of a body, in the world's axes.
fn angularVelocity(body: MotionBody, constants: BodyConstants) -> vec3f {
  if ((constants.flags & IS_DRIVEN) != 0u) {
    return body.momentum;
  }
  return spinOf(body.rotation, body.momentum, constants.inverseMoments);
}

// Velocity of a belt's surface beyond that of its body.
fn surfaceVelocity(body: MotionBody) -> vec3f {
  return vec3f(body.surfaceX, body.surfaceY, body.surfaceZ);
}
