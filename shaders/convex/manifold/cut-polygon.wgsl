// requires convex/manifold/feature.wgsl
// A polygon or segment that is cut by lines, edge by edge (I. E. Sutherland, G. W. Hodgman 1974). Twin:
// src/convex/manifold/cut-polygon.ts.

// Every cut of a convex polygon adds one point at most. Rounding may add half as many again.
const ROOM = 24u;

var<private> cut: array<vec2f, ROOM>;
var<private> cutCount: u32;
var<private> next: array<vec2f, ROOM>;

fn startCut(feature: ptr<private, Feature>) {
  cutCount = (*feature).count;
  for (var i = 0u; i < cutCount; i++) {
    cut[i] = (*feature).vertices[i].xy;
  }
}

fn keep(kept: u32, p: vec2f) -> u32 {
  if ((kept > 0u && isSame(next[kept - 1u], p)) || kept == ROOM) {
    return kept;
  }
  next[kept] = p;
  return kept + 1u;
}

// Keeps where dot(line, (u, v, 1)) >= -slack; the segment of two points is walked once, a polygon around.
fn cutBy(line: vec3f, slack: f32) {
  let count = cutCount;
  let edges = select(count, 1u, count == 2u);
  var kept = 0u;
  for (var i = 0u; i < edges; i++) {
    let j = select(i + 1u, 0u, i + 1u == count);
    let start = cut[i];
    let to = cut[j];
    let p = dot(line, vec3f(start, 1.0));
    let q = dot(line, vec3f(to, 1.0));
    if (p >= -slack) {
      kept = keep(kept, start);
    }
    if ((p < -slack && q > slack) || (p > slack && q < -slack)) {
      kept = keep(kept, start + (p / (p - q)) * (to - start));
    }
    if (edges == 1u && count == 2u && q >= -slack) {
      kept = keep(kept, to);
    }
  }
  if (kept > 2u && isSame(next[0], next[kept - 1u])) {
    kept--;
  }
  for (var i = 0u; i < kept; i++) {
    cut[i] = next[i];
  }
  cutCount = kept;
}

// Keeps what lies inside a polygon, its rim widened by `same`: features that meet in one line are cut to it, not away.
fn cutByPolygon(clip: ptr<private, Feature>) {
  let corners = (*clip).count;
  for (var i = 0u; i < corners && cutCount > 0u; i++) {
    let a = (*clip).vertices[i].xy;
    let b = (*clip).vertices[select(i + 1u, 0u, i + 1u == corners)].xy;
    let d = normalize(b - a);
    cutBy(vec3f(-d.y, d.x, d.y * a.x - d.x * a.y), same);
  }
}
