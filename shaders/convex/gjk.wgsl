// requires convex/gjk-loop.wgsl
// GJK with the simplex' nearest point by regions: L. Olvang (2010), section 2.3.2, algorithms 2 and 3. Twin:
// src/convex/simplex-voronoi.ts.
//
// The nearest point of the new simplex is nearer than that of the old one, so the new point d has a part in it: d itself, the segments
// from d, the triangles with d and the tetrahedron are left, and of all points that lie in their feature the nearest is taken. No
// sign decides, so none can be wrong; but that the tetrahedron holds the origin needs all four, and by a margin: how far support points
// may be off, and the rounding of the determinants. Where one is not certain the faces have the nearest point.

const GROUP = 64u;

@compute @workgroup_size(GROUP)
fn gjk(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) local: u32) {
  let place = params.first + (group.x + group.y * groups.x) * GROUP + local;
  if (place < params.end) {
    answerPair(place);
  }
}

struct Candidate {
  // Weights of the three old points; the new one has the rest.
  weights: vec3f,
  direction: vec3f,
  squared: f32,
}

fn reduceSimplex(simplex: ptr<function, Simplex>, d: vec3f, a: vec3f) -> Nearest {
  let e1 = (*simplex).w1 - d;
  let e2 = (*simplex).w2 - d;
  let e3 = (*simplex).w3 - d;
  let l1 = dot(e1, e1);
  let l2 = dot(e2, e2);
  let l3 = dot(e3, e3);
  let n1 = cross(e2, e3);
  let n2 = cross(e3, e1);
  let n3 = cross(e1, e2);
  let nn1 = dot(n1, n1);
  let nn2 = dot(n2, n2);
  let nn3 = dot(n3, n3);
  let h1 = -dot(d, n1);
  let h2 = -dot(d, n2);
  let h3 = -dot(d, n3);

  // Barycentric coordinates of the origin, times the volume; that of d is what is left.
  let volume = dot(e1, n1);
  let s = select(1.0, -1.0, volume < 0.0);
  let n0 = n1 + n2 + n3;
  let h0 = volume - h1 - h2 - h3;
  // (x + y)^2 <= 2 (x^2 + y^2) saves square roots: x is the error of support points times the area, y the rounding.
  let square = pair.size * pair.size;
  let support = 2.0 * SUPPORT_ERROR * SUPPORT_ERROR * square;
  let rounding = 2.0 * ROUNDING * ROUNDING * square;
  let areas = l1 * l2 + l2 * l3 + l3 * l1;
  let outer = vec4f(h1, h2, h3, h0);
  let bounds = vec4f(
    support * nn1 + rounding * l2 * l3,
    support * nn2 + rounding * l3 * l1,
    support * nn3 + rounding * l1 * l2,
    support * dot(n0, n0) + FACE_ROUNDING * rounding * areas
  );
  let inside = all((s * outer > vec4f(0.0)) & (outer * outer > bounds));

  var best = onSegment(d, e1, l1, vec3f(1.0, 0.0, 0.0));
  nearer(&best, onSegment(d, e2, l2, vec3f(0.0, 1.0, 0.0)));
  nearer(&best, onSegment(d, e3, l3, vec3f(0.0, 0.0, 1.0)));
  let t1 = onTriangle(d, e2, e3, n1, nn1, h1, l2 * l3);
  nearer(&best, Candidate(vec3f(0.0, t1.weights.x, t1.weights.y), t1.direction, t1.squared));
  let t2 = onTriangle(d, e3, e1, n2, nn2, h2, l3 * l1);
  nearer(&best, Candidate(vec3f(t2.weights.y, 0.0, t2.weights.x), t2.direction, t2.squared));
  let t3 = onTriangle(d, e1, e2, n3, nn3, h3, l1 * l2);
  nearer(&best, t3);

  // Places without a weight take the new point, each an equal share of its own.
  let kept = best.weights > vec3f(0.0);
  let free = 3.0 - dot(select(vec3f(0.0), vec3f(1.0), kept), vec3f(1.0));
  let share = (1.0 - best.weights.x - best.weights.y - best.weights.z) / free;
  let weights = select(vec3f(share), best.weights, kept);
  if (!inside) {
    (*simplex).w1 = select(d, (*simplex).w1, kept.x);
    (*simplex).w2 = select(d, (*simplex).w2, kept.y);
    (*simplex).w3 = select(d, (*simplex).w3, kept.z);
    (*simplex).a1 = select(a, (*simplex).a1, kept.x);
    (*simplex).a2 = select(a, (*simplex).a2, kept.y);
    (*simplex).a3 = select(a, (*simplex).a3, kept.z);
  }
  return Nearest(weights, best.direction, inside);
}

// Rounding of a volume with the origin relative to the size times the two edges' lengths: 9 spacings of 2^-23.
const ROUNDING = 16.0 * 0x1p-23;
// The face opposite the new point: three such volumes and that of the whole, whose third edge is up to two sizes long; the square of
// a sum of three is at most three times that of their squares.
const FACE_ROUNDING = 32.0;
// Squared sine of a corner below which rounding makes a triangle's normal anything; its edges have the nearest point.
const SLENDER = 0x1p-36;
const NO_POINT = 0x1p100;

fn nearer(best: ptr<function, Candidate>, other: Candidate) {
  if (other.squared < (*best).squared) {
    *best = other;
  }
}

// Algorithm 2, of d and d + e, with d's end taken for d alone.
fn onSegment(d: vec3f, e: vec3f, squaredLength: f32, weights: vec3f) -> Candidate {
  let along = -dot(d, e);
  let between = (along > 0.0) & (along < squaredLength);
  let t = select(select(0.0, 1.0, along > 0.0), along / squaredLength, between);
  let p = d + t * e;
  // What rounding leaves of p along the edge would tilt the support plane by as much over p's length.
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
