// requires render/scene.wgsl
// requires render/light.wgsl
// What is cut away of a wall, as glass.

const CLEAR = 0.04;
const RIM = 0.35;

@fragment
fn glassFragment(vertex: LitVertex) -> @location(0) vec4f {
  let normal = normalize(vertex.normal);
  let color = encoded(shaded(vertex.color, vertex.place, normal));
  let grazing = 1.0 - abs(dot(normal, normalize(view.eye - vertex.place)));
  let isAway = dot(view.cutNormal, vertex.place) > view.cutAt;
  return vec4f(color, select(0.0, CLEAR + RIM * grazing * grazing * grazing, isAway));
}
