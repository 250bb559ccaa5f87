// requires convex/pair/lists.wgsl
// requires convex/epa-faces.wgsl
// Expanding Polytope Algorithm on the cores of the pairs that GJK found to overlap: L. Olvang (2010), section 2.5,
// algorithm 12. Twin: src/convex/epa/epa.ts. docs/convex.md, "EPA in float32", has the proof of what follows.
//
// The polytope's surface is closed and made of triangles. Its corners are points of A - B. The origin cannot get out of
// it: a new point and a face that is removed span a tetrahedron, and this lies beyond a plane that has the origin below
// it. So every ray from the origin meets a triangle. Take any plane through the origin: the least height of a
// triangle's corners over it is a lower bound of the depth along rays that meet the triangle. Neither needs a convex
// surface: rounding may make faces visible or hide them, which costs vertices but not correctness. Where the start lies
// beside the origin by rounding, the end says whether the origin is inside (`isAround`).

// Relative to the pair's size; constants.ts has their reasons.
override LEAST_GAP: f32 = 0x1p-20;
override HEIGHT_ERROR: f32 = 0x1p-19;
override SUPPORT_ERROR: f32 = 0x1.cp-17;
override POINT_ERROR: f32 = 0x1p-17;
override TOUCHING: f32 = 0x1.cp-16;
// Rounding of a volume with the origin, as in convex/gjk/tetrahedron.wgsl, relative to the lengths of two edges, too.
const VOLUME_ERROR = 16.0 * 0x1p-23;
// Edges of the largest hole.
const MOST_RIM = 40u;

var<private> corners: array<vec3f, MOST_VERTICES>;
var<private> cornersA: array<vec3f, MOST_VERTICES>;
// Half-edge k of face f is entry 4 f + k: the lower half has its twin, the upper half the vertex where it starts.
// Counter-clockwise, seen from outside.
var<private> edges: array<u32, 4u * MOST_FACES>;
// The hole's rim: half-edges of the faces that are removed.
var<private> rims: array<u32, MOST_RIM>;

// A triangle's outward normal, divided by the least height of its corners along it: points m with m . x > 1 are beyond
// it. The normal is the cross product of the edge pq and the shorter one of the other two: the error of a cross product
// grows with the lengths of its factors.
fn planeOf(p: vec3f, q: vec3f, r: vec3f) -> vec3f {
  let u = r - p;
  let v = r - q;
  let normal = cross(q - p, select(v, u, dot(u, u) < dot(v, v)));
  let a = dot(normal, p);
  let b = dot(normal, q);
  let c = dot(normal, r);
  let ab = select(b, a, a < b);
  let least = select(c, ab, ab < c);
  let squared = dot(normal, normal);
  // Planes through the origin or below it are made to lie just over it, where nothing is certain.
  let lowest = 1e-9 * sqrt(squared);
  // A triangle may be so slender that rounding spoils its normal. It lies within rounding of its longest edge, where
  // its neighbours are. So it gets no plane.
  return select(vec3f(), normal / select(least, lowest, least < lowest), squared > 1e-30);
}

// The key that sorts faces by nearness: the height to the power of -2, then the face's number.
fn keyOf(plane: vec3f, face: u32) -> u32 {
  return (bitcast<u32>(dot(plane, plane)) & KEY) | face;
}

fn setEdges(face: u32, starts: vec3u, twins: vec3u) {
  edges[4u * face] = twins.x | (starts.x << 16u);
  edges[4u * face + 1u] = twins.y | (starts.y << 16u);
  edges[4u * face + 2u] = twins.z | (starts.z << 16u);
}

// Whether the origin is inside for certain, however the polytope was made: it sees all triangles of the closed surface
// from within. The bound is that of tetrahedron.wgsl for a volume with the origin.
fn isAround(faces: u32) -> bool {
  for (var face = 0u; face < faces; face++) {
    let p = corners[edges[4u * face] >> 16u];
    let u = corners[edges[4u * face + 1u] >> 16u] - p;
    let v = corners[edges[4u * face + 2u] >> 16u] - p;
    let volume = dot(p, cross(u, v));
    let bound = VOLUME_ERROR * pair.size;
    if (!(volume > 0.0 && volume * volume > bound * bound * dot(u, u) * dot(v, v))) {
      return false;
    }
  }
  return true;
}

@compute @workgroup_size(GROUP)
fn epa(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let item = id.x + id.y * groups.x * GROUP;
  if (!isInList(DEPTH_LIST, item)) {
    return;
  }
  let entry = pairAt(listedSlot(DEPTH_LIST, item));
  let place = entry.place;
  placePair(entry.bodyA, entry.bodyB);
  let error = HEIGHT_ERROR * pair.size;
  let gap = max(params.tolerance, LEAST_GAP) * pair.size;

  let a0 = simplices[SIMPLEX * place];
  let b0 = simplices[SIMPLEX * place + 1u];
  let s1 = simplices[SIMPLEX * place + 2u];
  let b1 = simplices[SIMPLEX * place + 3u];
  let s2 = simplices[SIMPLEX * place + 4u];
  let a3 = simplices[SIMPLEX * place + 6u].xyz;
  var a1 = s1.xyz;
  var a2 = s2.xyz;
  let p0 = a0.xyz - b0.xyz;
  let p3 = a3 - simplices[SIMPLEX * place + 7u].xyz;
  var p1 = a1 - b1.xyz;
  var p2 = a2 - simplices[SIMPLEX * place + 5u].xyz;
  let turned = dot(cross(p1 - p0, p2 - p0), p3 - p0) < 0.0;
  let p = p1;
  let a = a1;
  p1 = select(p1, p2, turned);
  a1 = select(a1, a2, turned);
  p2 = select(p2, p, turned);
  a2 = select(a2, a, turned);
  corners[0] = p0;
  corners[1] = p1;
  corners[2] = p2;
  corners[3] = p3;
  cornersA[0] = a0.xyz;
  cornersA[1] = a1;
  cornersA[2] = a2;
  cornersA[3] = a3;
  planes[0] = planeOf(p0, p2, p1);
  planes[1] = planeOf(p0, p1, p3);
  planes[2] = planeOf(p1, p2, p3);
  planes[3] = planeOf(p2, p0, p3);
  setEdges(0u, vec3u(0u, 2u, 1u), vec3u(12u, 8u, 4u));
  setEdges(1u, vec3u(0u, 1u, 3u), vec3u(2u, 10u, 13u));
  setEdges(2u, vec3u(1u, 2u, 3u), vec3u(1u, 14u, 5u));
  setEdges(3u, vec3u(2u, 0u, 3u), vec3u(0u, 6u, 9u));

  // Key of the nearest face; what a point sees.
  var nearest = 0u;
  for (var f = 0u; f < 4u; f++) {
    let key = keyOf(planes[f], f);
    nearest = select(nearest, key, key > nearest);
  }
  var faces = 4u;
  // True as long as the origin is inside for certain: GJK says so, and it is below the planes of the start, and of all
  // faces that were removed, by more than rounding.
  var isInside = a0.w == 1.0;
  var isClosed = true;
  var met = false;
  var plane = vec3f();
  // The direction in which the shapes reach least far beyond each other, of all that were tried, and how far. GJK's is
  // the first.
  var best = vec4f(b0.w, s1.w, b1.w, -s2.w);
  // The last round asks how far the shapes reach along the answer. Compilers copy a function to each place that calls
  // it: there is one.
  var isLast = false;
  var least = 0.0;
  var n = vec3f();
  var height = 0.0;
  loop {
    if (isLast) {
      // The best direction is the answer of an open pair: its support plane proves that the depth is no larger.
      n = select(best.xyz, plane * least, met);
      mayClimb = false;
    } else {
      plane = planes[nearest & ~KEY];
      least = inverseSqrt(dot(plane, plane));
      isInside = isInside & (least > error);
      n = plane * least;
    }
    let point = supportPoint(n);
    height = dot(n, point.w);
    if (isLast) {
      break;
    }
    best = select(best, vec4f(n, height), height < best.w);
    met = height - least <= gap;
    if (met) {
      // Keys only tell apart heights that differ by more than 2^-17 of themselves, so another face may be the lowest.
      let lowest = lowestFaceOfAll();
      if (dot(planes[lowest], planes[lowest]) > dot(plane, plane)) {
        nearest = keyOf(planes[lowest], lowest);
        continue;
      }
    }
    isLast = met | (faces == MOST_FACES);
    if (isLast) {
      continue;
    }
    let start = 4u * (nearest & ~KEY);
    let vertex = faces / 2u + 2u;
    corners[vertex] = point.w;
    cornersA[vertex] = point.a;
    let view = lookAtFaces(point.w);
    nearest = view.nearest;
    // Walks around the hole. If the point sees the face beyond a half-edge, the walk goes on there; else the half-edge
    // belongs to the rim.
    var rim = 0u;
    var steps = 0u;
    var at = start;
    loop {
      let edge = edges[at];
      let twin = edge & 0xffffu;
      let seen = isSeen(view.seen, twin >> 2u);
      rims[rim] = edge;
      rim += select(1u, 0u, seen);
      steps++;
      let old = select(at, twin, seen);
      at = select(old + 1u, old - 2u, (old & 3u) == 2u);
      if ((at == start) | (rim == MOST_RIM)) {
        break;
      }
    }
    // The walk met every half-edge of every face that the point sees just once. So joining the rim to the point closes
    // the hole.
    isClosed = (at == start) & (steps == 3u * countFaces(view.seen)) & (dot(plane, point.w) > SEEN);
    isLast = !isClosed;
    if (isLast) {
      continue;
    }
    var free = view.seen | newFaces(faces);
    let first = lowestFace(free);
    var edge = rims[0];
    var p = corners[edge >> 16u];
    var face = first;
    // The bits ascend; the highest is the newest face's.
    var before = faces + 1u;
    for (var i = 0u; i < rim; i++) {
      free = withoutLowest(free);
      let last = i + 1u == rim;
      let following = rims[select(i + 1u, 0u, last)];
      let next = select(lowestFace(free), first, last);
      let to = following >> 16u;
      let q = corners[to];
      let plane = planeOf(p, q, point.w);
      let key = keyOf(plane, face);
      planes[face] = plane;
      edges[4u * face] = edge;
      edges[4u * face + 1u] = (4u * next + 2u) | (to << 16u);
      edges[4u * face + 2u] = (4u * before + 1u) | (vertex << 16u);
      edges[edge & 0xffffu] = (4u * face) | (to << 16u);
      nearest = select(nearest, key, key > nearest);
      before = face;
      face = next;
      edge = following;
      p = q;
    }
    faces += 2u;
  }

  // The face under the foot of the perpendicular. Where several faces share a plane, it may not be the nearest one.
  let foot = height * n;
  var face = nearest & ~KEY;
  var weights = vec3f();
  var rounds = 0u;
  loop {
    let p = corners[edges[4u * face] >> 16u] - foot;
    let q = corners[edges[4u * face + 1u] >> 16u] - foot;
    let r = corners[edges[4u * face + 2u] >> 16u] - foot;
    weights = vec3f(dot(n, cross(q, r)), dot(n, cross(r, p)), dot(n, cross(p, q)));
    let last = (weights.z < weights.x) & (weights.z < weights.y);
    let worst = select(select(0u, 1u, weights.y < weights.x), 2u, last);
    rounds++;
    if ((select(select(weights.x, weights.y, worst == 1u), weights.z, last) >= 0.0) | (rounds == 8u)) {
      break;
    }
    // The weight of a corner is the area at the edge across from it.
    face = (edges[4u * face + select(worst + 1u, 0u, last)] & 0xffffu) >> 2u;
  }
  weights = max(weights, vec3f());
  weights = weights / (weights.x + weights.y + weights.z);
  let one = edges[4u * face] >> 16u;
  let two = edges[4u * face + 1u] >> 16u;
  let three = edges[4u * face + 2u] >> 16u;
  let onA = weights.x * cornersA[one] + weights.y * cornersA[two] + weights.z * cornersA[three];
  let over = weights.x * corners[one] + weights.y * corners[two] + weights.z * corners[three] - foot;
  let margins = pair.marginA + pair.marginB;
  let distance = -height - margins;
  // The face's point may lie below the support plane by up to the gap, but not beside the foot.
  let below = -dot(over, n);
  let aside = over + below * n;
  let near = POINT_ERROR * pair.size;
  let known = met & (isInside || isAround(faces)) & (height - least <= gap)
    & (below <= gap + near) & (dot(aside, aside) <= near * near)
    & (distance < -TOUCHING * pair.size) & (pair.unit > 0.0);
  let bound = (SUPPORT_ERROR + HEIGHT_ERROR) * pair.size;
  // If the start is not certain, the origin is within the touching tolerance.
  let upper = select(TOUCHING * pair.size, -least, isInside || known) - margins + bound;
  let calls = ((results[RESULT * place].w >> 8u) & 0xffffu) + faces / 2u;
  let status = select(ITERATION_LIMIT, CONVERGED, known);
  writeResult(place, status, calls, distance, distance - bound, upper, n, onA + pair.marginA * n);
}
