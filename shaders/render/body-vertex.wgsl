// requires render/scene.wgsl
// requires render/colors.wgsl
// Vertices of bodies, an instance per body.

@vertex
fn bodyVertex(
  @location(0) position: vec3f,
  @location(1) normal: vec3f,
  @builtin(instance_index) instance: u32,
) -> LitVertex {
  let body = instances[instance];
  let place = placeOf(position, body);
  let clip = view.camera * vec4f(place, 1.0);
  return LitVertex(clip, place, turned(bodies[body].quaternion, normal), colorOf(body));
}
