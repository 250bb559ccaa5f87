// requires convex/gjk/gjk-loop.wgsl
// requires convex/gjk/tetrahedron.wgsl
// requires convex/gjk/simplex-candidates.wgsl
// GJK whose simplex finds its nearest point by regions: L. Olvang (2010), section 2.3.2, algorithms 2 and 3. Twin:
// src/convex/gjk/gjk-voronoi.ts.
//
// The nearest point of the new simplex is nearer than that of the old one, so it depends on the new point d. That
// leaves d itself, the segments from d, the triangles with d and the tetrahedron. Each of them gives its nearest point,
// if that lies inside it; the nearest of these points is taken. No sign decides, so no wrong sign can harm. The only
// exception is whether the tetrahedron holds the origin (tetrahedron.wgsl).

// 1 if it answers only the pairs that box axes leave open.
override OPEN_ONLY: u32 = 0u;

@compute @workgroup_size(GROUP)
fn gjkVoronoi(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let item = id.x + id.y * groups.x * GROUP;
  var slot = firstSlot() + item;
  var isOne = isInBucket(item);
  if (OPEN_ONLY != 0u) {
    isOne = isInList(OPEN_LIST, item);
    slot = listedSlot(OPEN_LIST, item);
  }
  if (isOne) {
    answerPair(slot);
  }
}

fn reduceSimplex(simplex: ptr<function, Simplex>, d: vec3f, a: vec3f) -> Nearest {
  let e1 = (*simplex).w1 - d;
  let e2 = (*simplex).w2 - d;
  let e3 = (*simplex).w3 - d;
  let l1 = dot(e1, e1);
  let l2 = dot(e2, e2);
  let l3 = dot(e3, e3);
  let faces = facesOf(e1, e2, e3, d);
  let inside = holdsOrigin(faces, l1, l2, l3);

  var best = onSegment(d, e1, l1, vec3f(1.0, 0.0, 0.0));
  nearer(&best, onSegment(d, e2, l2, vec3f(0.0, 1.0, 0.0)));
  nearer(&best, onSegment(d, e3, l3, vec3f(0.0, 0.0, 1.0)));
  let t1 = onTriangle(d, e2, e3, faces.n1, faces.squares.x, faces.heights.x, l2 * l3);
  nearer(&best, Candidate(vec3f(0.0, t1.weights.x, t1.weights.y), t1.direction, t1.squared));
  let t2 = onTriangle(d, e3, e1, faces.n2, faces.squares.y, faces.heights.y, l3 * l1);
  nearer(&best, Candidate(vec3f(t2.weights.y, 0.0, t2.weights.x), t2.direction, t2.squared));
  let t3 = onTriangle(d, e1, e2, faces.n3, faces.squares.z, faces.heights.z, l1 * l2);
  nearer(&best, t3);

  return keepPoints(simplex, d, a, best.weights, best.direction, inside);
}

// Squared sine of a corner below which rounding spoils a triangle's normal. Its edges then have the nearest point.
const SLENDER = 0x1p-36;
// Algorithm 2, of d and d + e. The segment's end at d stands for the subset of d alone.
fn onSegment(d: vec3f, e: vec3f, squaredLength: f32, weights: vec3f) -> Candidate {
  let along = -dot(d, e);
  let between = (along > 0.0) & (along < squaredLength);
  let t = select(select(0.0, 1.0, along > 0.0), along / squaredLength, between);
  let p = d + t * e;
  // Rounding leaves p a part along the edge. That would tilt the support plane by its ratio to p's length.
  let direction = p - e * select(0.0, dot(p, e) / squaredLength, between);
  return Candidate(t * weights, direction, dot(p, p));
}

// Algorithm 3, of d, d + e and d + f, where the foot of the perpendicular lies inside; n = e x f, h = -d . n.
fn onTriangle(d: vec3f, e: vec3f, f: vec3f, n: vec3f, squaredNormal: f32, h: f32, area: f32) -> Candidate {
  let inverse = 1.0 / squaredNormal;
  let foot = n * (-h * inverse);
  let q = foot - d;
  let x = dot(cross(q, f), n) * inverse;
  let y = dot(cross(e, q), n) * inverse;
  let holds = all(vec4f(x, y, 1.0 - x - y, squaredNormal) > vec4f(0.0, 0.0, 0.0, SLENDER * area));
  let p = d + x * e + y * f;
  return Candidate(vec3f(x, y, 0.0), select(n, -n, h > 0.0), select(NO_POINT, dot(p, p), holds));
}
