// Quaternions x, y, z, w.

// A vector, turned.
fn turned(q: vec4f, v: vec3f) -> vec3f {
  let t = 2.0 * cross(q.xyz, v);
  return v + q.w * t + cross(q.xyz, t);
}

fn opposite(q: vec4f) -> vec4f {
  return vec4f(-q.xyz, q.w);
}

// The turn of b, then that of a.
fn turnAfter(a: vec4f, b: vec4f) -> vec4f {
  return vec4f(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

// Angular velocity in the world's axes, of a body that is not driven.
fn spinOf(rotation: vec4f, momentum: vec3f, inverseMoments: vec3f) -> vec3f {
  return turned(rotation, inverseMoments * turned(opposite(rotation), momentum));
}
