// requires convex/manifold/feature.wgsl
// A polygon or segment that is cut by lines, edge by edge (I. E. Sutherland, G. W. Hodgman 1974). Twin:
// src/convex/manifold/cut-polygon.ts.

// Every cut of a convex polygon adds one point at most. Rounding may add half as many again.
const ROOM = 24u;

var<private> cut: array<vec2f, ROOM>;
var<private> cutCount: u32;
var<private> next: array<vec2f, ROOM>;
// Which line leads from each point to the next: `CutLine` of the twin.
var<private> cutLines: array<u32, ROOM>;
var<private> nextLines: array<u32, ROOM>;

const LINE_OF_B = 8u;
// Of the reach; the next two are those of a rounded A and B.
const LINE_REACH = 16u;
const LINE_END = 19u;

fn startCut(side: u32, firstLine: u32) {
  cutCount = features[side].count;
  for (var i = 0u; i < cutCount; i++) {
    cut[i] = features[side].vertices[i].xy;
    cutLines[i] = select(firstLine + i, LINE_END, cutCount == 2u && i == 1u);
  }
}

fn keep(kept: u32, p: vec2f, line: u32) -> u32 {
  if (kept == ROOM) {
    return kept;
  }
  let isThere = kept > 0u && isSame(next[max(kept, 1u) - 1u], p);
  let at = select(kept, kept - 1u, isThere);
  nextLines[at] = line;
  if (!isThere) {
    next[at] = p;
  }
  return at + 1u;
}

// Keeps where dot(line, (u, v, 1)) >= -slack; the segment of two points is walked once, a polygon around.
fn cutBy(line: vec3f, slack: f32, name: u32) {
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
      kept = keep(kept, start, cutLines[i]);
    }
    if ((p < -slack && q > slack) || (p > slack && q < -slack)) {
      kept = keep(kept, start + (p / (p - q)) * (to - start), select(cutLines[i], name, p > q));
    }
    if (edges == 1u && count == 2u && q >= -slack) {
      kept = keep(kept, to, cutLines[j]);
    }
  }
  if (kept > 2u && isSame(next[0], next[kept - 1u])) {
    kept--;
  }
  for (var i = 0u; i < kept; i++) {
    cut[i] = next[i];
    cutLines[i] = nextLines[i];
  }
  cutCount = kept;
}

// Keeps what lies inside a polygon, its rim widened by `same`: features that meet in one line are cut to it, not away.
fn cutByPolygon(side: u32, firstLine: u32) {
  let corners = features[side].count;
  for (var i = 0u; i < corners && cutCount > 0u; i++) {
    let a = features[side].vertices[i].xy;
    let b = features[side].vertices[select(i + 1u, 0u, i + 1u == corners)].xy;
    let d = normalize(b - a);
    cutBy(vec3f(-d.y, d.x, d.y * a.x - d.x * a.y), same, firstLine + i);
  }
}
