// requires dem/motion/turns.wgsl
// How fast bodies turn.

const IS_DRIVEN = 2u;

// In the world's axes.
fn angularVelocity(body: MotionBody, constants: BodyConstants) -> vec3f {
  if ((constants.flags & IS_DRIVEN) != 0u) {
    return body.momentum;
  }
  return spinOf(body.rotation, body.momentum, constants.inverseMoments);
}
