// requires render/scene.wgsl
// requires render/light.wgsl
// The lit surface of a body.

@fragment
fn bodyFragment(vertex: LitVertex) -> @location(0) vec4f {
  return vec4f(encoded(shaded(vertex.color, vertex.place, normalize(vertex.normal))), 1.0);
}
