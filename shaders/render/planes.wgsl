// What goes from vertices of planes to fragments.

struct PlaneVertex {
  @builtin(position) clip: vec4f,
  @location(0) place: vec3f,
  @location(1) normal: vec3f,
  // In the plane, relative to a crossing of the grid's lines.
  @location(2) inPlane: vec2f,
  // Number in `planes`.
  @location(3) @interpolate(flat) plane: u32,
}
