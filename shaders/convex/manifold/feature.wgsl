// requires convex/pair/bucket.wgsl
// requires convex/manifold/resolution.wgsl
// A contact's plane, and the polygons, lines and points over it that are cut with each other to make a manifold.
// Twins: src/convex/manifold/feature.ts and contact-plane.ts.

// Convex polygon, segment or point: u, v, height over the plane, counter-clockwise seen against the normal.
struct Feature {
  vertices: array<vec3f, MOST_CORNERS>,
  count: u32,
  // Height at u, v: slope.x u + slope.y v + slope.z.
  slope: vec3f,
}

// Unit vectors u, v, n, right-handed; the origin, halfway between the pair's points; the pair's distance. In A's frame
// and the pair's unit.
struct Plane {
  u: vec3f,
  v: vec3f,
  n: vec3f,
  origin: vec3f,
  distance: f32,
}

// Of A and of B: `side` is 0 or 1.
var<private> features: array<Feature, 2>;
var<private> plane: Plane;
// Points that differ by less are one.
var<private> same: f32;

// Places the pair of a slot and sets its contact's plane from the pair's answer. False for a pair without contacts.
fn setPlane(entry: PairSlot) -> bool {
  let place = entry.place;
  let status = results[RESULT * place].w & 0xffu;
  if (status != CONVERGED && status != DEGENERATE) {
    return false;
  }
  placePair(entry.bodyA, entry.bodyB);
  // The answer, back in A's frame and the pair's unit.
  let conjugate = vec4f(-pair.turn.xyz, pair.turn.w);
  let s = 2.0 / dot(pair.turn, pair.turn);
  let n = normalize(turnedBy(conjugate, s, bitcast<vec3f>(results[RESULT * place + 1u].xyz)));
  let pointA = turnedBy(conjugate, s, bitcast<vec3f>(results[RESULT * place + 2u].xyz) / pair.unit);
  let distance = bitcast<f32>(results[RESULT * place].x) / pair.unit;
  // u, v across the normal, from the coordinate axis that is most nearly across it.
  let m = abs(n);
  let alongX = m.x <= m.y && m.x <= m.z;
  let e = select(select(vec3f(0.0, 0.0, 1.0), vec3f(0.0, 1.0, 0.0), m.y <= m.z), vec3f(1.0, 0.0, 0.0), alongX);
  let u = normalize(cross(e, n));
  plane = Plane(u, cross(n, u), n, pointA + (0.5 * distance) * n, distance);
  same = RESOLUTION * pair.size;
  return true;
}

// A point of A's frame over the plane.
fn overPlane(p: vec3f) -> vec3f {
  let q = p - plane.origin;
  return vec3f(dot(q, plane.u), dot(q, plane.v), dot(q, plane.n));
}

// A contact where the surfaces of A and B have the heights a and b. Its place is about A's centre, in the world's axes;
// the last component is its distance.
fn contactAt(p: vec2f, a: f32, b: f32) -> vec4f {
  let at = plane.origin + p.x * plane.u + p.y * plane.v + (0.5 * (a + b)) * plane.n;
  return pair.unit * vec4f(toWorld(at), b - a);
}

// Writes the number of contacts, and the distance below which two of them count as one.
fn writeCount(place: u32, count: u32) {
  results[RESULT * place].w = (results[RESULT * place].w & 0xffffffu) | (count << 24u);
  results[RESULT * place + 1u].w = bitcast<u32>(same * pair.unit);
}

fn isSame(a: vec2f, b: vec2f) -> bool {
  return all(abs(a - b) <= vec2f(same));
}

// Adds corners in their order. Corners that are the same count once.
fn addVertex(side: u32, p: vec3f) {
  let count = features[side].count;
  if (count > 0u && isSame(features[side].vertices[count - 1u].xy, p.xy)) {
    return;
  }
  features[side].vertices[count] = p;
  features[side].count = count + 1u;
}

// Takes the last corner away if it is where the first one is.
fn closeFeature(side: u32) {
  let count = features[side].count;
  if (count > 1u && isSame(features[side].vertices[0].xy, features[side].vertices[count - 1u].xy)) {
    features[side].count = count - 1u;
  }
}

// Twice the area, positive where counter-clockwise.
fn doubleArea(side: u32) -> f32 {
  let count = features[side].count;
  let origin = features[side].vertices[0].xy;
  var sum = 0.0;
  var before = features[side].vertices[count - 1u].xy - origin;
  for (var i = 0u; i < count; i++) {
    let e = features[side].vertices[i].xy - origin;
    sum += before.x * e.y - before.y * e.x;
    before = e;
  }
  return sum;
}

// Turns a polygon into a line or a point if it is so narrow that curvature alone could make it of one. Does the same if
// it has less area than convex polygons as long and wide: samples of a bent edge go there and back, over its middle.
fn simplify(side: u32, least: f32) {
  let count = features[side].count;
  var first = vec3f();
  var last = vec3f();
  var longest = 0.0;
  var sum = vec3f();
  for (var i = 0u; i < count; i++) {
    let p = features[side].vertices[i];
    sum += p;
    for (var j = 0u; j < i; j++) {
      let q = features[side].vertices[j];
      let squared = dot(p.xy - q.xy, p.xy - q.xy);
      if (squared > longest) {
        first = q;
        last = p;
        longest = squared;
      }
    }
  }
  if (longest <= least * least) {
    features[side].vertices[0] = sum / f32(count);
    features[side].count = 1u;
    return;
  }
  let d = (last.xy - first.xy) * inverseSqrt(longest);
  var low = 0.0;
  var high = 0.0;
  for (var i = 0u; i < count; i++) {
    let e = features[side].vertices[i].xy - first.xy;
    let across = d.x * e.y - d.y * e.x;
    low = min(low, across);
    high = max(high, across);
  }
  if (count > 2u && (high - low <= least || abs(doubleArea(side)) < sqrt(longest) * least)) {
    features[side].vertices[0] = first;
    features[side].vertices[1] = last;
    features[side].count = 2u;
  }
}

// The plane of a slope that fits all heights on average.
fn setHeight(side: u32, slope: vec2f) {
  let count = features[side].count;
  var sum = 0.0;
  for (var i = 0u; i < count; i++) {
    let p = features[side].vertices[i];
    sum += p.z - dot(slope, p.xy);
  }
  features[side].slope = vec3f(slope, sum / f32(count));
}

// Plane of heights: through the polygon by its area vector, along the segment, or level.
fn setSlope(side: u32) {
  let count = features[side].count;
  let origin = features[side].vertices[0];
  var slope = vec2f();
  if (count == 2u) {
    let d = features[side].vertices[1] - origin;
    slope = d.xy * (d.z / dot(d.xy, d.xy));
  }
  if (count > 2u) {
    var area = vec3f();
    for (var i = 2u; i < count; i++) {
      area += cross(features[side].vertices[i - 1u] - origin, features[side].vertices[i] - origin);
    }
    slope = -area.xy / area.z;
  }
  setHeight(side, slope);
}
