// requires render/scene.wgsl
// requires render/light.wgsl
// A wall that holds bodies, as glass where one looks through it: where another front of a wall lies behind. The last
// front is solid: the inside of a hopper's far wall, a tray's floor.

// Whether this pass draws the glass, or else what is solid.
override IS_GLASS: bool;
// Of depths of one surface in two passes, besides their change over a pixel: with several samples per pixel some
// adapters interpolate to a place beside its middle.
const SAME_DEPTH = 2e-6;
const CLEAR = 0.07;
const RIM = 0.55;

@fragment
fn wallFragment(vertex: LitVertex) -> @location(0) vec4f {
  let within = SAME_DEPTH + fwidth(vertex.clip.z);
  let last = textureLoad(wallDepth, vec2i(vertex.clip.xy), 0);
  let isLast = vertex.clip.z >= last - within;
  if (isLast == IS_GLASS) {
    discard;
  }
  let normal = normalize(vertex.normal);
  let color = encoded(shaded(vertex.color, vertex.place, normal));
  if (!IS_GLASS) {
    return vec4f(color, 1.0);
  }
  let grazing = 1.0 - abs(dot(normal, normalize(view.eye - vertex.place)));
  return vec4f(color, CLEAR + RIM * grazing * grazing * grazing);
}
