// requires dem/forces/default-law.wgsl
// The elastic law of a pair of materials. If a scene has laws of its own, src/dem/gpu/forces/own-laws.ts writes another
// text under this name.

fn pairLaw(law: u32, depth: f32, area: f32, p: LawParameters) -> vec3f {
  return defaultLaw(depth, area, p);
}
