// requires render/scene.wgsl
// requires render/light.wgsl
// A wall that is cut open: what is behind the cut, and the cut itself. Where a ray from the eye meets a back behind the
// cut first, it went into the wall at the cut.

const CUT = vec3f(0.19, 0.25, 0.33);
// Places of samples in a pixel, from its middle. Edges of the cut are smooth: each sample is looked at alone.
const SAMPLES = array(vec2f(-0.125, -0.375), vec2f(0.375, -0.125), vec2f(-0.375, 0.125), vec2f(0.125, 0.375));

struct Wall {
  @location(0) color: vec4f,
  @builtin(sample_mask) samples: u32,
}

@fragment
fn wallFragment(vertex: LitVertex, @builtin(front_facing) isFront: bool) -> Wall {
  let beyond = dot(view.cutNormal, vertex.place) - view.cutAt;
  let change = vec2f(dpdx(beyond), dpdy(beyond));
  let places = SAMPLES;
  var samples = 0u;
  for (var i = 0u; i < 4u; i++) {
    samples |= select(0u, 1u << i, beyond + dot(change, places[i]) <= 0.0);
  }
  let height = dot(view.cutNormal, view.eye) - view.cutAt;
  let onCut = mix(vertex.place, view.eye, -beyond / (height - beyond));
  let place = select(onCut, vertex.place, isFront);
  let normal = select(view.cutNormal, normalize(vertex.normal), isFront);
  let color = shaded(select(CUT, vertex.color, isFront), place, normal);
  return Wall(vec4f(encoded(color), 1.0), samples);
}
