// Cuts faces of convex shapes by planes, and sums the pieces up. Twins: src/contacts/faces/face-pieces.ts and
// face-sums.ts. Needs the binding `faces`, which src/contacts/faces/pack-faces.ts fills. Lengths are in a unit of the
// pair's size, so that products of four of them neither overflow nor vanish.

// Corners of a polygon, at most: the table has 8, and each plane that cuts it adds one. Of more, some are left out: the
// contacts are then `bounded`.
const MOST_CORNERS = 64u;
const SQRT2 = 1.41421356f;
// As `LEAST_FORCE` of src/contacts/faces/constants.ts.
const LEAST_FORCE = 0x1p-20f;
// Directions of three points, 120 degrees apart.
const COSINE = -0.5f;
const SINE = 0.86602540f;

// Words of a record in the table.
const RECORD_WORDS = 8u;

struct FaceRecord {
  // Places of its planes, polygons and vertices in the table, and their numbers.
  planes: u32,
  planeCount: u32,
  polygons: u32,
  polygonCount: u32,
  vertices: u32,
  vertexCount: u32,
  isRound: u32,
  // A power of two.
  unit: f32,
}

struct Polygon {
  count: u32,
  at: array<vec3f, MOST_CORNERS>,
}

// From the frame of a record to the common one.
struct FaceFrame {
  rotation: mat3x3f,
  origin: vec3f,
  // One over the unit.
  scale: f32,
}

struct FaceSums {
  // All places are less this one: a corner of the first piece.
  origin: vec3f,
  hasOrigin: bool,
  force: vec3f,
  torque: vec3f,
  pressure: f32,
  // Twice the energy.
  work: f32,
  // Pressure times place, and times products xx, yy, zz and xy, yz, zx.
  first: vec3f,
  squares: vec3f,
  products: vec3f,
}

struct FacePoints {
  places: array<vec3f, 3>,
  // Per pressure.
  forces: array<vec3f, 3>,
  pressure: f32,
  // 0 where there is no pressure.
  depth: f32,
}

var<private> sums: FaceSums;
var<private> face: Polygon;
var<private> piece: Polygon;
var<private> spare: array<vec3f, MOST_CORNERS>;
var<private> isFull: bool;

fn faceRecord(record: u32) -> FaceRecord {
  let at = RECORD_WORDS * record;
  return FaceRecord(
    faces[at],
    faces[at + 1u],
    faces[at + 2u],
    faces[at + 3u],
    faces[at + 4u],
    faces[at + 5u],
    faces[at + 6u],
    bitcast<f32>(faces[at + 7u]),
  );
}

fn vectorOf(at: u32) -> vec3f {
  return bitcast<vec3f>(vec3u(faces[at], faces[at + 1u], faces[at + 2u]));
}

fn placedVertex(record: FaceRecord, vertex: u32, frame: FaceFrame) -> vec3f {
  return frame.origin + frame.rotation * (frame.scale * vectorOf(record.vertices + 3u * vertex));
}

fn placedPlane(record: FaceRecord, plane: u32, frame: FaceFrame) -> vec4f {
  let at = record.planes + 4u * plane;
  let normal = frame.rotation * vectorOf(at);
  return vec4f(normal, frame.scale * bitcast<f32>(faces[at + 3u]) + dot(normal, frame.origin));
}

// Two words per polygon: the place of its corners, and 2^4 times its plane plus the number of corners.
fn cornersOf(record: FaceRecord, polygon: u32) -> vec3u {
  let packed = faces[record.polygons + 2u * polygon + 1u];
  return vec3u(faces[record.polygons + 2u * polygon], packed & 15u, packed >> 4u);
}

fn loadFace(record: FaceRecord, corners: vec3u, frame: FaceFrame) {
  for (var c = 0u; c < corners.y; c++) {
    face.at[c] = placedVertex(record, faces[corners.x + c], frame);
  }
  face.count = corners.y;
}

// Cuts a polygon and keeps its part on the inner side of a plane (I. Sutherland, G. Hodgman 1974).
fn cut(polygon: ptr<private, Polygon>, plane: vec4f) {
  let count = (*polygon).count;
  var outside = 0u;
  for (var i = 0u; i < count; i++) {
    outside += select(0u, 1u, dot(plane.xyz, (*polygon).at[i]) > plane.w);
  }
  if (outside == 0u) {
    return;
  }
  var kept = 0u;
  for (var i = 0u; i < count; i++) {
    let here = (*polygon).at[i];
    let next = (*polygon).at[select(i + 1u, 0u, i + 1u == count)];
    let side = dot(plane.xyz, here) - plane.w;
    let sideOfNext = dot(plane.xyz, next) - plane.w;
    isFull = isFull || (side <= 0.0 && kept == MOST_CORNERS);
    if (side <= 0.0 && kept < MOST_CORNERS) {
      spare[kept] = here;
      kept++;
    }
    let isCut = (side < 0.0 && sideOfNext > 0.0) || (side > 0.0 && sideOfNext < 0.0);
    isFull = isFull || (isCut && kept == MOST_CORNERS);
    if (isCut && kept < MOST_CORNERS) {
      spare[kept] = here + (side / (side - sideOfNext)) * (next - here);
      kept++;
    }
  }
  for (var i = 0u; i < kept; i++) {
    (*polygon).at[i] = spare[i];
  }
  (*polygon).count = select(kept, 0u, outside == count);
}

// Adds a polygon on the inner side of a plane. `share`: the part of the foundation that it stands for; below 0 if the
// force on B is against the normal.
fn addPiece(polygon: ptr<private, Polygon>, plane: vec4f, share: f32) {
  if ((*polygon).count < 3u) {
    return;
  }
  let a = (*polygon).at[0];
  if (!sums.hasOrigin) {
    sums.origin = a;
    sums.hasOrigin = true;
  }
  let origin = sums.origin;
  let depthOfA = plane.w - dot(plane.xyz, a);
  var b = (*polygon).at[1];
  var depthOfB = plane.w - dot(plane.xyz, b);
  let normal = sign(share) * plane.xyz;
  var force = 0.0;
  for (var i = 2u; i < (*polygon).count; i++) {
    let c = (*polygon).at[i];
    let depthOfC = plane.w - dot(plane.xyz, c);
    // A third of the triangle's area for the middle of each edge.
    let area = abs(share) / 6.0 * length(cross(b - a, c - a));
    for (var k = 0u; k < 3u; k++) {
      var middle = 0.5 * (a + b);
      var depth = 0.5 * (depthOfA + depthOfB);
      if (k == 1u) {
        middle = 0.5 * (b + c);
        depth = 0.5 * (depthOfB + depthOfC);
      }
      if (k == 2u) {
        middle = 0.5 * (c + a);
        depth = 0.5 * (depthOfC + depthOfA);
      }
      depth = max(0.0, depth);
      middle -= origin;
      let w = area * depth;
      force += w;
      sums.work += w * depth;
      sums.torque += w * cross(middle, normal);
      sums.first += w * middle;
      sums.squares += w * middle * middle;
      sums.products += w * middle * middle.yzx;
    }
    // Depth times a product is of third degree. The middles miss this part of it: docs/contacts.md, "Faces".
    let mean = (a + b + c) / 3.0;
    let meanDepth = (depthOfA + depthOfB + depthOfC) / 3.0;
    for (var k = 0u; k < 3u; k++) {
      let way = select(select(c, b, k == 1u), a, k == 0u) - mean;
      let depth = select(select(depthOfC, depthOfB, k == 1u), depthOfA, k == 0u);
      let w = 0.225 * area * (depth - meanDepth);
      sums.squares += w * way * way;
      sums.products += w * way * way.yzx;
    }
    b = c;
    depthOfB = depthOfC;
  }
  sums.pressure += force;
  sums.force += force * normal;
}

// The three contacts of all pieces. Both axes are A's: directions that points are turned by.
fn pointsOfSums(firstAxis: vec3f, secondAxis: vec3f) -> FacePoints {
  var points = FacePoints();
  let w = sums.pressure;
  if (!(w > 0.0)) {
    return points;
  }
  // Per pressure: squares of small forces would vanish.
  var push = sums.force / w;
  var force = length(push);
  let isRounding = force < LEAST_FORCE;
  if (isRounding) {
    push = LEAST_FORCE * select(firstAxis, push / force, force > 0.0);
    force = LEAST_FORCE;
  }
  let n = push / force;
  // The middle of the pressure; the torque about it.
  let middle = sums.first / w;
  let torque = select(sums.torque / w - cross(middle, push), vec3f(), isRounding);
  // About this place only the torque along the force is left.
  let place = sums.origin + middle + cross(n, torque) / force;
  let twist = dot(torque, n);
  let axis = select(firstAxis, secondAxis, abs(dot(n, firstAxis)) > 0.9);
  let u = normalize(axis - dot(axis, n) * n);
  let v = cross(n, u);
  // Second moments of the pressure along both, and their root: (C + r 1) / t, r^2 = det C, t^2 = trace C + 2 r.
  let squares = sums.squares / w - middle * middle;
  let products = sums.products / w - middle * middle.yzx;
  let moments = mat3x3f(
    vec3f(squares.x, products.x, products.z),
    vec3f(products.x, squares.y, products.y),
    vec3f(products.z, products.y, squares.z),
  );
  let uu = max(0.0, dot(u, moments * u));
  let vv = max(0.0, dot(v, moments * v));
  let uv = dot(u, moments * v);
  let r = sqrt(max(0.0, uu * vv - uv * uv));
  let t = sqrt(uu + vv + 2.0 * r);
  let root = select(vec3f(), vec3f(uu + r, uv, vv + r) / t, t > 0.0);
  let spread = 3.0 * (uu + vv);
  let across = select(0.0, twist / spread, spread > 0.0);
  var total = 0.0;
  for (var k = 0u; k < 3u; k++) {
    let c = SQRT2 * select(COSINE, 1.0, k == 0u);
    let d = SQRT2 * select(select(-SINE, SINE, k == 1u), 0.0, k == 0u);
    let a = root.x * c + root.y * d;
    let b = root.y * c + root.z * d;
    points.places[k] = place + a * u + b * v;
    points.forces[k] = push / 3.0 + across * (a * v - b * u);
    total += length(points.forces[k]);
  }
  points.depth = sums.work / w / total;
  points.pressure = w;
  return points;
}
