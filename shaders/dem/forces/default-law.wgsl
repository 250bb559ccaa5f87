// The elastic law of two materials that have none of their own.

// `LawParameters` of src/dem/materials/normal-law.ts.
struct LawParameters {
  modulus: f32,
  // Radius of a contact that is a point; else 0.
  radius: f32,
  // Stiffness per area of a contact that has an area; else 0.
  foundation: f32,
}

// Force, stiffness and energy.
fn defaultLaw(depth: f32, area: f32, p: LawParameters) -> vec3f {
  if (p.radius == 0.0) {
    let stiffness = p.foundation * area;
    return vec3f(stiffness * depth, stiffness, 0.5 * stiffness * depth * depth);
  }
  // H. Hertz.
  let stiffness = 2.0 * p.modulus * sqrt(p.radius * depth);
  let force = (2.0 / 3.0) * stiffness * depth;
  return vec3f(force, stiffness, 0.4 * force * depth);
}
