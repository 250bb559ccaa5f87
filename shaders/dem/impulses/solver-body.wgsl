// Bodies as impulses need them. Twin: src/dem/impulses/solver-bodies.ts.

// Inverse moments in the world: the axes of a body's frame, each with its share.
fn inverseInWorld(rotation: vec4f, inverse: vec3f) -> mat3x3f {
  let x = turned(rotation, vec3f(1.0, 0.0, 0.0));
  let y = turned(rotation, vec3f(0.0, 1.0, 0.0));
  let z = turned(rotation, vec3f(0.0, 0.0, 1.0));
  return mat3x3f(
    inverse.x * x.x * x + inverse.y * y.x * y + inverse.z * z.x * z,
    inverse.x * x.y * x + inverse.y * y.y * y + inverse.z * z.y * z,
    inverse.x * x.z * x + inverse.y * y.z * y + inverse.z * z.z * z,
  );
}
