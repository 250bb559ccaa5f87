// requires render/scene.wgsl
// Vertices of bodies for passes that keep depths alone: maps of lights, and the last wall behind each pixel.

@vertex
fn depthVertex(
  @location(0) position: vec3f,
  @builtin(instance_index) instance: u32,
) -> @invariant @builtin(position) vec4f {
  return lens.matrix * vec4f(placeOf(position, instances[instance]), 1.0);
}
