// requires convex/result.wgsl
// Contact manifold by perturbed sampling: L. Olvang (2010), section 2.6, algorithm 13. The features of both shapes at the contact are
// projected onto its plane and cut with each other, by half planes (I. E. Sutherland, G. W. Hodgman 1974). Twins: src/convex/manifold.ts
// and feature.ts, which say why. Over the pairs of which the kernels before have an answer.

const GROUP = 64u;
// src/constants.ts has the reasons of all of these.
const SAMPLES = 8u;
const MOST_POINTS = 16u;
override PERTURBATION: f32 = 0x1p-8;
override LEAST_WIDTH: f32 = 0.0078515625;
override RESOLUTION: f32 = 0x1p-20;
// Points while polygons are cut.
const ROOM = 24u;

// Convex polygon, segment or point: u, v, height over the plane, counter-clockwise seen against the normal.
struct Feature {
  vertices: array<vec3f, SAMPLES>,
  count: u32,
  // Height at u, v: slope.x u + slope.y v + slope.z.
  slope: vec3f,
}

var<private> cut: array<vec2f, ROOM>;
var<private> next: array<vec2f, ROOM>;
// Points that differ by less are one.
var<private> same: f32;

// Direction i of the perturbation, at (i + 1/2) / 8 of a turn.
fn perturbation(i: u32) -> vec2f {
  let near = 0.9238795;
  let far = 0.3826834;
  let steep = ((i + 1u) & 2u) != 0u;
  let x = select(near, far, steep);
  let y = select(far, near, steep);
  return vec2f(select(x, -x, i >= 2u && i < 6u), select(y, -y, i >= 4u));
}

fn isSame(a: vec2f, b: vec2f) -> bool {
  return all(abs(a - b) <= vec2f(same));
}

// Corners in the order of the samples; the same one several times is one.
fn addVertex(feature: ptr<function, Feature>, p: vec3f) {
  let count = (*feature).count;
  if (count > 0u && isSame((*feature).vertices[count - 1u].xy, p.xy)) {
    return;
  }
  (*feature).vertices[count] = p;
  (*feature).count = count + 1u;
}

// A polygon narrower than what curvature alone makes of a line or a point becomes one. So does one with less than the area of convex ones
// that long and wide: samples of a bent edge go there and back, over its middle.
fn simplify(feature: ptr<function, Feature>, least: f32) {
  let count = (*feature).count;
  var first = vec3f();
  var last = vec3f();
  var longest = 0.0;
  var sum = vec3f();
  for (var i = 0u; i < count; i++) {
    let p = (*feature).vertices[i];
    sum += p;
    for (var j = 0u; j < i; j++) {
      let q = (*feature).vertices[j];
      let squared = dot(p.xy - q.xy, p.xy - q.xy);
      if (squared > longest) {
        first = q;
        last = p;
        longest = squared;
      }
    }
  }
  if (longest <= least * least) {
    (*feature).vertices[0] = sum / f32(count);
    (*feature).count = 1u;
    return;
  }
  let d = (last.xy - first.xy) * inverseSqrt(longest);
  var low = 0.0;
  var high = 0.0;
  var doubleArea = 0.0;
  var before = (*feature).vertices[count - 1u].xy - first.xy;
  for (var i = 0u; i < count; i++) {
    let e = (*feature).vertices[i].xy - first.xy;
    let across = d.x * e.y - d.y * e.x;
    low = min(low, across);
    high = max(high, across);
    doubleArea += before.x * e.y - before.y * e.x;
    before = e;
  }
  if (count > 2u && (high - low <= least || doubleArea < sqrt(longest) * least)) {
    (*feature).vertices[0] = first;
    (*feature).vertices[1] = last;
    (*feature).count = 2u;
  }
}

// Plane of heights: through the polygon by its area vector, along the segment, or level.
fn setSlope(feature: ptr<function, Feature>) {
  let count = (*feature).count;
  let origin = (*feature).vertices[0];
  var slope = vec2f();
  if (count == 2u) {
    let d = (*feature).vertices[1] - origin;
    slope = d.xy * (d.z / dot(d.xy, d.xy));
  }
  if (count > 2u) {
    var area = vec3f();
    for (var i = 2u; i < count; i++) {
      area += cross((*feature).vertices[i - 1u] - origin, (*feature).vertices[i] - origin);
    }
    slope = -area.xy / area.z;
  }
  var sum = 0.0;
  for (var i = 0u; i < count; i++) {
    let p = (*feature).vertices[i];
    sum += p.z - dot(slope, p.xy);
  }
  (*feature).slope = vec3f(slope, sum / f32(count));
}

// Brings the corners together once all are there.
fn finishFeature(feature: ptr<function, Feature>, radius: f32) {
  let count = (*feature).count;
  if (count > 1u && isSame((*feature).vertices[0].xy, (*feature).vertices[count - 1u].xy)) {
    (*feature).count = count - 1u;
  }
  simplify(feature, LEAST_WIDTH * radius);
  setSlope(feature);
}

fn keep(kept: u32, p: vec2f) -> u32 {
  if (kept > 0u && isSame(next[kept - 1u], p)) {
    return kept;
  }
  next[kept] = p;
  return kept + 1u;
}

// Keeps what lies left of a line; the segment of two points is walked once, a polygon around.
fn cutByLine(count: u32, a: vec2f, b: vec2f) -> u32 {
  let d = normalize(b - a);
  let edges = select(count, 1u, count == 2u);
  var kept = 0u;
  for (var i = 0u; i < edges; i++) {
    let j = select(i + 1u, 0u, i + 1u == count);
    let start = cut[i];
    let to = cut[j];
    let p = d.x * (start.y - a.y) - d.y * (start.x - a.x);
    let q = d.x * (to.y - a.y) - d.y * (to.x - a.x);
    // Corners on the line, to rounding, stay: features that end in one line are cut there, not away.
    if (p >= -same) {
      kept = keep(kept, start);
    }
    if ((p < -same && q > same) || (p > same && q < -same)) {
      kept = keep(kept, start + (p / (p - q)) * (to - start));
    }
    if (edges == 1u && q >= -same) {
      kept = keep(kept, to);
    }
  }
  if (kept > 2u && isSame(next[0], next[kept - 1u])) {
    kept--;
  }
  for (var i = 0u; i < kept; i++) {
    cut[i] = next[i];
  }
  return kept;
}

// Two segments: the common part of parallel ones, else where their lines cross.
fn crossSegments(p: vec2f, q: vec2f) -> u32 {
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
    return select(select(1u, 2u, high - low > slack), 0u, low > high + slack);
  }
  let s = clamp((w.x * e.y - w.y * e.x) / turn, 0.0, 1.0);
  cut[0] = a + s * d;
  return 1u;
}

// Common points of both features into `cut`; how many.
fn cutFeatures(clip: ptr<function, Feature>, subject: ptr<function, Feature>) -> u32 {
  var count = (*subject).count;
  for (var i = 0u; i < count; i++) {
    cut[i] = (*subject).vertices[i].xy;
  }
  if (count == 1u) {
    return 1u;
  }
  let corners = (*clip).count;
  if (corners == 2u) {
    return crossSegments((*clip).vertices[0].xy, (*clip).vertices[1].xy);
  }
  for (var i = 0u; i < corners && count > 0u; i++) {
    let j = select(i + 1u, 0u, i + 1u == corners);
    count = cutByLine(count, (*clip).vertices[i].xy, (*clip).vertices[j].xy);
  }
  return count;
}

@compute @workgroup_size(GROUP)
fn manifold(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) local: u32) {
  let place = params.first + (group.x + group.y * groups.x) * GROUP + local;
  if (place >= params.end) {
    return;
  }
  let word = results[RESULT * place].w;
  let status = word & 0xffu;
  if (status != CONVERGED && status != DEGENERATE) {
    return;
  }
  placePair(pairs[place].x, pairs[place].y);
  // The answer, back in A's frame and the pair's unit.
  let conjugate = vec4f(-pair.turn.xyz, pair.turn.w);
  let s = 2.0 / dot(pair.turn, pair.turn);
  let n = normalize(turned(bitcast<vec3f>(results[RESULT * place + 1u].xyz), conjugate, s));
  let pointA = turned(bitcast<vec3f>(results[RESULT * place + 2u].xyz) / pair.unit, conjugate, s);
  let distance = bitcast<f32>(results[RESULT * place].x) / pair.unit;
  // u, v across the normal, from the coordinate axis most nearly so; the origin halfway between the points.
  let m = abs(n);
  let alongX = m.x <= m.y && m.x <= m.z;
  let e = select(select(vec3f(0.0, 0.0, 1.0), vec3f(0.0, 1.0, 0.0), m.y <= m.z), vec3f(1.0, 0.0, 0.0), alongX);
  let u = normalize(cross(e, n));
  let v = cross(n, u);
  let origin = pointA + (0.5 * distance) * n;
  same = RESOLUTION * pair.size;

  var featureA = Feature();
  var featureB = Feature();
  for (var i = 0u; i < SAMPLES; i++) {
    let c = PERTURBATION * perturbation(i);
    let tilt = c.x * u + c.y * v;
    // Margins go along the normal itself, so that rounded shapes have the features of their cores.
    let p = pair.scaleA * coreSupport(pair.recordA, normalize(n + tilt), 0u) - origin;
    addVertex(&featureA, vec3f(dot(p, u), dot(p, v), dot(p, n) + pair.marginA));
    let q = pair.rotation * (pair.scaleB * coreSupport(pair.recordB, normalize(tilt - n) * pair.rotation, 2u)) + pair.offset - origin;
    addVertex(&featureB, vec3f(dot(q, u), dot(q, v), dot(q, n) - pair.marginB));
  }
  finishFeature(&featureA, pair.scaleA * recordRadius(pair.recordA));
  finishFeature(&featureB, pair.scaleB * recordRadius(pair.recordB));
  var count = 0u;
  if (featureA.count >= featureB.count) {
    count = cutFeatures(&featureA, &featureB);
  } else {
    count = cutFeatures(&featureB, &featureA);
  }
  let written = clamp(count, 1u, MOST_POINTS);
  for (var i = 0u; i < written; i++) {
    let p = vec3f(cut[i], 1.0);
    let a = dot(featureA.slope, p);
    let b = dot(featureB.slope, p);
    let at = origin + p.x * u + p.y * v + (0.5 * (a + b)) * n;
    // The features miss each other: an edge of one beside a face of the other. The contact's own points remain.
    let own = count == 0u;
    contacts[MOST_POINTS * place + i] = pair.unit * vec4f(toWorld(select(at, origin, own)), select(b - a, distance, own));
  }
  results[RESULT * place].w = (word & 0xffffffu) | (written << 24u);
}
