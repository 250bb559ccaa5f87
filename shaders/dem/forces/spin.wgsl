// requires common/turns.wgsl
// How fast bodies turn, and belts run.

const IS_DRIVEN = 2u;

// In the world's axes.
fn angularVelocity(body: MotionBody, constants: BodyConstants) -> vec3f {
  if ((constants.flags & IS_DRIVEN) != 0u) {
    return body.momentum;
  }
  return spinOf(body.rotation, body.momentum, constants.inverseMoments);
}

// Of a belt: what its surface moves at beyond its body.
fn surfaceVelocity(body: MotionBody) -> vec3f {
  return vec3f(body.surfaceX, body.surfaceY, body.surfaceZ);
}
