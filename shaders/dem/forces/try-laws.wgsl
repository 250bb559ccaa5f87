// requires dem/forces/pair-law.wgsl
// Values of laws of a user's own, to be compared with their twins. A thread per case.

@compute @workgroup_size(GROUP)
fn tryLaws(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&cases)) {
    return;
  }
  let own = cases[id.x];
  let p = LawParameters(own.modulus, own.radius, own.foundation);
  values[id.x] = vec4f(pairLaw(own.law, own.depth, own.area, p), 0.0);
}
