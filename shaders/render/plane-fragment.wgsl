// requires render/scene.wgsl
// requires render/planes.wgsl
// requires render/light.wgsl
// A plane with a grid. It ends where another plane cuts it off, and fades into the background far from the scene.

const GROUND = vec3f(0.55, 0.56, 0.57);
const LINE = 0.16;
const STRONG_LINE = 0.30;
// Width of a line, in pixels.
const LINE_WIDTH = 1.1;

// How much of a pixel lines cover that are `spacing` apart; widths are of a pixel, in the plane.
fn lines(at: vec2f, width: vec2f, spacing: f32) -> f32 {
  let off = abs(at - spacing * round(at / spacing));
  let cover = clamp((0.5 + 0.5 * LINE_WIDTH) - off / width, vec2f(0.0), vec2f(1.0));
  // Lines that are closer than a few pixels fade away.
  let apart = smoothstep(vec2f(3.0), vec2f(10.0), spacing / width);
  return max(cover.x * apart.x, cover.y * apart.y);
}

@fragment
fn planeFragment(vertex: PlaneVertex) -> @location(0) vec4f {
  let width = fwidth(vertex.inPlane);
  for (var other = 0u; other < view.planeCount; other++) {
    let body = planes[other];
    let normal = turned(bodies[body].quaternion, vec3f(0, 0, 1));
    if (other != vertex.plane && dot(normal, vertex.place - originOf(body)) < -1e-4 * view.radius) {
      discard;
    }
  }
  let strength = max(
    LINE * lines(vertex.inPlane, width, view.gridSpacing),
    STRONG_LINE * lines(vertex.inPlane, width, 5.0 * view.gridSpacing),
  );
  let color = encoded((1.0 - strength) * shaded(GROUND, vertex.place, vertex.normal));
  let level = vertex.place - dot(vertex.place, vertex.normal) * vertex.normal;
  let fade = smoothstep(0.45, 0.98, length(level) / view.groundRadius);
  return vec4f(mix(color, view.background, fade), 1.0);
}
