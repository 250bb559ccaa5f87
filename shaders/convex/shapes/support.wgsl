// Support points of cores: the points of a shape that lie farthest in a direction. L. Olvang (2010), table 1 and
// section 2.2. Twin: src/convex/shapes/support.ts. Lengths are in units of the record, its last parameter, so that none
// overflows.

const BOX = 0u;
const ELLIPSOID = 1u;
const CYLINDER = 2u;
const CONE = 3u;
const FRUSTUM = 4u;
const POLYTOPE = 5u;
const SUM = 6u;
const HULL = 7u;

// Polytopes with at least so many vertices climb along their edges, which then beats looking at all vertices.
override LEAST_VERTICES_TO_CLIMB: u32 = 40u;

// Kinds of the records of A and of B where all pairs have the same: compilers drop the others where a side is known, as
// in support points of a pair. Manifolds go through both sides in a loop, and may keep them.
const ANY_KIND = 0xffu;
override KIND_A: u32 = 0xffu;
override KIND_B: u32 = 0xffu;

// Squared lengths below this count as 0. The inverse root of a number hardly above 2^-126 may be that of 0. The loss on
// a support function is 2^-50 of the radius, below all rounding.
const LEAST_SQUARE = 0x1p-100;

// First parameters of the records of A and B, which all simple kinds need for every support point. Set for a new pair.
var<private> parametersA: vec4f;
var<private> parametersB: vec4f;
// Where climbing left off: vertices of A's and B's polytopes, and of their second children. Set to 0 for a new pair.
var<private> hints: array<u32, 4>;
// Rounding may stop climbing short. The error grows with the size over the length of the shortest edge. That is good
// enough for the next point of a simplex, as all vertices are in A - B, but it proves no support plane. A proof looks
// at all vertices.
var<private> mayClimb: bool = true;

// n is of unit length; `side` is 0 for A and 2 for B. A simple shape is asked where a compound's children are:
// compilers copy a function to each place that calls it.
fn coreSupport(record: u32, n: vec3f, side: u32) -> vec3f {
  let kind = kindOf(record, select(KIND_B, KIND_A, side == 0u));
  let isCompound = kind >= SUM;
  var simple = record;
  var simpleKind = kind;
  var p = select(parametersB, parametersA, side == 0u);
  var m = n;
  var points = array<vec3f, 2>();
  for (var child = 0u; child < 2u; child++) {
    if (isCompound) {
      simple = select(records[record].childB, records[record].childA, child == 0u);
      simpleKind = records[simple].kind;
      p = records[simple].byKind[0];
      if (child == 1u) {
        m = n * rotationOfB(record);
      }
    }
    let point = simpleSupport(simple, simpleKind, p, m, side + child);
    if (!isCompound) {
      return point;
    }
    // In units of the compound.
    points[child] = point * (records[simple].unit * inversePower(records[record].unit));
  }
  return compoundSupport(record, kind, points[0], points[1], n);
}

fn kindOf(record: u32, known: u32) -> u32 {
  if (known != ANY_KIND) {
    return known;
  }
  return records[record].kind;
}

// True if support points of a record may come from climbing; the kind may be one known in advance or not.
fn canClimb(record: u32, known: u32) -> bool {
  let kind = kindOf(record, known);
  if (kind < POLYTOPE) {
    return false;
  }
  if (kind != POLYTOPE) {
    // A compound's children may.
    return true;
  }
  let hasCells = records[record].cellsPerEdge != 0u;
  let hasEdges = records[record].hasEdges != 0u;
  return !hasCells & hasEdges & (records[record].vertexCount >= LEAST_VERTICES_TO_CLIMB);
}

// p are the first parameters of the record.
fn simpleSupport(record: u32, kind: u32, p: vec4f, n: vec3f, hint: u32) -> vec3f {
  switch kind {
    case BOX: {
      return select(p.xyz, -p.xyz, n < vec3f(0.0));
    }
    case ELLIPSOID: {
      let scaled = p.xyz * n;
      let squared = dot(scaled, scaled);
      let s = select(0.0, inverseSqrt(squared), squared > LEAST_SQUARE);
      let ball = records[record].rollingBall;
      return (p.xyz * s * p.xyz - ball) * n;
    }
    case CYLINDER: {
      let squared = dot(n.xy, n.xy);
      let s = select(0.0, p.x * inverseSqrt(squared), squared > LEAST_SQUARE);
      return vec3f(s * n.xy, select(p.y, -p.y, n.z < 0.0));
    }
    case CONE: {
      // Base at p.y, apex at p.z.
      let squared = dot(n.xy, n.xy);
      let inverse = select(0.0, inverseSqrt(squared), squared > LEAST_SQUARE);
      let base = squared * inverse * p.x + n.z * p.y >= n.z * p.z;
      let s = select(0.0, p.x * inverse, base);
      return vec3f(s * n.xy, select(p.z, p.y, base));
    }
    case FRUSTUM: {
      let top = vec3f(p.w, records[record].byKind[1].xy);
      let m = vec3f(abs(n.xy), n.z);
      let corner = select(top, p.xyz, dot(m, p.xyz) >= dot(m, top));
      return vec3f(select(corner.xy, -corner.xy, n.xy < vec2f(0.0)), corner.z);
    }
    default: {
      return farthestVertex(record, n, hint);
    }
  }
}

// The vertices that can be the farthest one: those of the direction's cell, or all where a polytope has no cells. The
// first of them, and the end.
fn listedVertices(record: u32, n: vec3f) -> vec2u {
  let first = records[record].firstVertex;
  let perEdge = records[record].cellsPerEdge;
  if (perEdge == 0u) {
    return vec2u(first, first + records[record].vertexCount);
  }
  let cell = records[record].firstCell + directionCell(n, perEdge);
  return vec2u(neighbours[cell], neighbours[cell + 1u]);
}

// The place of the farthest one of these; of several the first.
fn farthestOf(listed: vec2u, n: vec3f) -> u32 {
  var best = listed.x;
  var most = dot(bitcast<vec3f>(vertices[best].xyz), n);
  for (var i = listed.x + 1u; i < listed.y; i++) {
    let value = dot(bitcast<vec3f>(vertices[i].xyz), n);
    best = select(best, i, value > most);
    most = select(most, value, value > most);
  }
  return best;
}

// The farthest vertex. Polytopes without cells climb along edges, where that is as good: a local maximum of a convex
// polytope is the global one.
fn farthestVertex(record: u32, n: vec3f, hint: u32) -> vec3f {
  let listed = listedVertices(record, n);
  if (!mayClimb | !canClimb(record, POLYTOPE)) {
    return bitcast<vec3f>(vertices[farthestOf(listed, n)].xyz);
  }
  var at = max(hints[hint], listed.x);
  var best = vertices[at];
  var most = dot(bitcast<vec3f>(best.xyz), n);
  var edge = best.w;
  // One flat loop: it looks at one neighbour a round, and moves on to a better one at once. The last neighbour of a
  // vertex has its top bit set.
  loop {
    let word = neighbours[edge];
    let i = word & 0x7fffffffu;
    let v = vertices[i];
    let value = dot(bitcast<vec3f>(v.xyz), n);
    if (value > most) {
      most = value;
      best = v;
      at = i;
      edge = v.w;
    } else if (word != i) {
      break;
    } else {
      edge++;
    }
  }
  hints[hint] = at;
  return bitcast<vec3f>(best.xyz);
}

// Cell of a direction: squares on the faces of a cube. Twin: src/convex/gpu/direction-cells.ts.
fn directionCell(n: vec3f, perEdge: u32) -> u32 {
  let m = abs(n);
  let isX = (m.x >= m.y) & (m.x >= m.z);
  let isY = !isX & (m.y >= m.z);
  // The largest coordinate, then the next two over.
  let turned = select(select(n.zxy, n.yzx, isY), n, isX);
  let face = 2u * select(select(2u, 1u, isY), 0u, isX) + select(0u, 1u, turned.x < 0.0);
  let place = (turned.yz / abs(turned.x) + 1.0) * (0.5 * f32(perEdge));
  // What is not a number, or lies on the far edge, goes to the last cell.
  let last = perEdge - 1u;
  let u = select(last, u32(place.x), (place.x >= 0.0) & (place.x < f32(perEdge)));
  let v = select(last, u32(place.y), (place.y >= 0.0) & (place.y < f32(perEdge)));
  return (face * perEdge + v) * perEdge + u;
}

// Rotation of a compound's second child.
fn rotationOfB(record: u32) -> mat3x3f {
  // By rows.
  let p0 = records[record].byKind[0];
  let p1 = records[record].byKind[1];
  let p2 = records[record].byKind[2];
  return mat3x3f(vec3f(p0.x, p0.w, p1.z), vec3f(p0.y, p1.x, p1.w), vec3f(p0.z, p1.y, p2.x));
}

// From the support points of both children, each in its own frame. Sum: S_A + S_B; hull: the one of S_A, S_B that lies
// farther (Olvang, section 2.2).
fn compoundSupport(record: u32, kind: u32, a: vec3f, b: vec3f, n: vec3f) -> vec3f {
  let pointA = a + records[record].offsetA;
  let pointB = rotationOfB(record) * b + records[record].byKind[2].yzw;
  if (kind == SUM) {
    return pointA + pointB;
  }
  // The least of the children's margins is the hull's own. The rest of a child's margin goes into its reach.
  let excessA = records[record].excessA;
  let excessB = records[record].excessB;
  let takeA = dot(pointA, n) + excessA >= dot(pointB, n) + excessB;
  return select(pointB + excessB * n, pointA + excessA * n, takeA);
}

// One over a power of two below 2^127, exactly: WGSL's division may be off by 2.5 spacings.
fn inversePower(x: f32) -> f32 {
  return bitcast<f32>(0x7f000000u - min(bitcast<u32>(x), 0x7f000000u));
}
