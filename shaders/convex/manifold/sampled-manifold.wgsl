// requires convex/manifold/cut-polygon.wgsl
// Contact manifold by perturbed sampling: L. Olvang (2010), section 2.6, algorithm 13. The features of both shapes at
// the contact are projected onto its plane and cut with each other. Twins: src/convex/manifold/sampled-manifold.ts and
// sampled-feature.ts, which say why. It runs over the pairs that the kernels before have answered.

// src/constants.ts has the reasons of all of these.
const SAMPLES = 8u;
const MOST_POINTS = 16u;
override PERTURBATION: f32 = 0x1p-8;
override LEAST_WIDTH: f32 = 0.0078515625;

// Direction i of the perturbation, at (i + 1/2) / 8 of a turn.
fn perturbation(i: u32) -> vec2f {
  let near = 0.9238795;
  let far = 0.3826834;
  let steep = ((i + 1u) & 2u) != 0u;
  let x = select(near, far, steep);
  let y = select(far, near, steep);
  return vec2f(select(x, -x, i >= 2u && i < 6u), select(y, -y, i >= 4u));
}

// Brings the corners together once all are there.
fn finishFeature(side: u32, radius: f32) {
  closeFeature(side);
  simplify(side, LEAST_WIDTH * radius);
  setSlope(side);
}

// Two segments: the common part of parallel ones, else where their lines cross.
fn crossSegments(p: vec2f, q: vec2f) {
  let a = cut[0];
  let d = cut[1] - a;
  let e = q - p;
  let w = p - a;
  let turn = d.x * e.y - d.y * e.x;
  let d2 = dot(d, d);
  // Parallel if they part by less than a feature's least width over their length.
  if (abs(turn) <= 0x1p-7 * sqrt(d2) * length(e)) {
    let s = dot(w, d) / d2;
    let t = s + dot(e, d) / d2;
    let low = max(0.0, min(s, t));
    let high = min(1.0, max(s, t));
    let slack = same * inverseSqrt(d2);
    cut[0] = a + low * d;
    cut[1] = a + high * d;
    cutCount = select(select(1u, 2u, high - low > slack), 0u, low > high + slack);
    return;
  }
  let s = clamp((w.x * e.y - w.y * e.x) / turn, 0.0, 1.0);
  cut[0] = a + s * d;
  cutCount = 1u;
}

// Common points of both features into `cut`.
fn cutFeatures() {
  let clip = select(1u, 0u, features[0].count >= features[1].count);
  startCut(1u - clip, 0u);
  if (cutCount == 1u) {
    return;
  }
  if (features[clip].count == 2u) {
    crossSegments(features[clip].vertices[0].xy, features[clip].vertices[1].xy);
    return;
  }
  cutByPolygon(clip, 0u);
}

@compute @workgroup_size(GROUP)
fn sampledManifold(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let item = id.x + id.y * groups.x * GROUP;
  if (!isInBucket(item)) {
    return;
  }
  let entry = pairAt(firstSlot() + item);
  let place = entry.place;
  if (!setPlane(entry)) {
    return;
  }
  features[0].count = 0u;
  features[1].count = 0u;
  for (var i = 0u; i < SAMPLES; i++) {
    let c = PERTURBATION * perturbation(i);
    let tilt = c.x * plane.u + c.y * plane.v;
    // Margins go along the normal itself, so that rounded shapes have the features of their cores.
    let p = pair.scaleA * coreSupport(pair.recordA, normalize(plane.n + tilt), 0u);
    addVertex(0u, overPlane(p + pair.marginA * plane.n));
    let facing = normalize(tilt - plane.n) * pair.rotation;
    let q = pair.rotation * (pair.scaleB * coreSupport(pair.recordB, facing, 2u)) + pair.offset;
    addVertex(1u, overPlane(q - pair.marginB * plane.n));
  }
  let radii = vec2f(
    pair.scaleA * records[pair.recordA].boundingRadius, pair.scaleB * records[pair.recordB].boundingRadius
  );
  for (var side = 0u; side < 2u; side++) {
    finishFeature(side, radii[side]);
  }
  cutFeatures();
  let written = clamp(cutCount, 1u, MOST_POINTS);
  for (var i = 0u; i < written; i++) {
    let p = vec3f(cut[i], 1.0);
    let a = dot(features[0].slope, p);
    let b = dot(features[1].slope, p);
    // The features miss each other, for instance an edge of one beside a face of the other. The pair's own points stay.
    let own = contactAt(vec2f(), -0.5 * plane.distance, 0.5 * plane.distance);
    contacts[MOST_POINTS * place + i] = select(contactAt(p.xy, a, b), own, cutCount == 0u);
  }
  writeCount(place, written);
}
