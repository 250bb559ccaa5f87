// requires render/scene.wgsl
// requires render/planes.wgsl
// A square of each plane, below the middle of the scene.

@vertex
fn planeVertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) plane: u32) -> PlaneVertex {
  let body = planes[plane];
  let q = bodies[body].quaternion;
  // The middle of the scene in the plane's frame.
  let middle = -turned(opposite(q), originOf(body));
  let corners = array(vec2f(-1, -1), vec2f(1, -1), vec2f(1, 1), vec2f(-1, -1), vec2f(1, 1), vec2f(-1, 1));
  let shift = view.groundRadius * corners[corner];
  let place = originOf(body) + turned(q, vec3f(middle.xy + shift, 0.0));
  // Every fifth line is stronger.
  let period = 5.0 * view.gridSpacing;
  let crossing = middle.xy - period * floor(middle.xy / period);
  return PlaneVertex(view.camera * vec4f(place, 1.0), place, turned(q, vec3f(0, 0, 1)), crossing + shift, plane);
}
