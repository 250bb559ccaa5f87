// Turns of vectors, and how fast bodies turn.

const IS_DRIVEN = 2u;

fn turned(q: vec4f, v: vec3f) -> vec3f {
  let t = 2.0 * cross(q.xyz, v);
  return v + q.w * t + cross(q.xyz, t);
}

fn turnedBack(q: vec4f, v: vec3f) -> vec3f {
  return turned(vec4f(-q.xyz, q.w), v);
}

// In the world's axes.
fn angularVelocity(body: MotionBody, constants: BodyConstants) -> vec3f {
  if ((constants.flags & IS_DRIVEN) != 0u) {
    return body.momentum;
  }
  return turned(body.rotation, constants.inverseMoments * turnedBack(body.rotation, body.momentum));
}
