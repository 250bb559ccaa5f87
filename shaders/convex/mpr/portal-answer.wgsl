// requires convex/mpr/portal.wgsl
// What the last portal along a ray proves, and its point nearest to the origin. Twin: src/convex/mpr/portal-answer.ts.

// How far the origin lies behind the plane through the ray's start, p and q, at least: a side of the tetrahedron of
// start and portal.
fn behindSide(p: vec3f, q: vec3f, origin: f32) -> f32 {
  let n = cross(p, q);
  let area = length(n);
  let rounding = 0x1p-20 * length(p) * length(q);
  return select(0.0, origin * (n.z - rounding) / (area + rounding), area > 0.0);
}

// Whether the origin lies in A - B for sure, once it is more than TOUCHING behind the portal's plane or the first
// corner.
fn surelyInside(p: Portal, origin: f32) -> bool {
  let rounding = PORTAL_ERROR * pair.size;
  // Where the ray passes the portal: a point of A - B, which rounding leaves somewhat beside the ray.
  let s1 = max(side(p.x2, p.x3), 0.0);
  let s2 = max(side(p.x3, p.x1), 0.0);
  let s3 = max(side(p.x1, p.x2), 0.0);
  let sum = s1 + s2 + s3;
  let onPortal = p.end != ON_RAY && sum > 0.0;
  let passed = select(p.x1, (s1 * p.x1 + s2 * p.x2 + s3 * p.x3) / sum, onPortal);
  if (!(passed.z > origin)) {
    return false;
  }
  // A ball about the start, which shrinks on the way there, has to make up for that.
  if ((1.0 - origin / passed.z) * inball() >= length(passed.xy) + rounding) {
    return true;
  }
  // Or the origin lies far enough inside the tetrahedron of start and portal.
  let sides = min(behindSide(p.x1, p.x2, origin), min(behindSide(p.x2, p.x3, origin), behindSide(p.x3, p.x1, origin)));
  return p.end != ON_RAY && sides >= rounding;
}

// Nearest point of a portal to the origin, about the origin.
struct Nearest {
  w: vec3f,
  // On A.
  a: vec3f,
  // Whether it lies in the portal's interior.
  interior: bool,
}

fn nearestOnEdge(p: Corner, q: Corner) -> Corner {
  let along = q.x - p.x;
  let squared = dot(along, along);
  let t = select(0.0, clamp(-dot(p.x, along) / squared, 0.0, 1.0), squared > 0.0);
  return Corner(mix(p.x, q.x, t), mix(p.a, q.a, t));
}

// The paper's distanceToPortal and barycentric.
fn nearestOnPortal(p: Portal, origin: f32) -> Nearest {
  let o = vec3f(0.0, 0.0, origin);
  let r1 = Corner(p.x1 - o, p.a1);
  let r2 = Corner(p.x2 - o, p.a2);
  let r3 = Corner(p.x3 - o, p.a3);
  // Twice the areas of the triangles between the foot of the perpendicular and the edges.
  let foot = dot(p.normal, r1.x) * p.normal;
  let a1 = dot(p.normal, cross(r2.x - foot, r3.x - foot));
  let a2 = dot(p.normal, cross(r3.x - foot, r1.x - foot));
  let a3 = dot(p.normal, cross(r1.x - foot, r2.x - foot));
  if (a1 > 0.0 && a2 > 0.0 && a3 > 0.0) {
    let sum = a1 + a2 + a3;
    return Nearest((a1 * r1.x + a2 * r2.x + a3 * r3.x) / sum, (a1 * r1.a + a2 * r2.a + a3 * r3.a) / sum, true);
  }
  var best = nearestOnEdge(r1, r2);
  let second = nearestOnEdge(r2, r3);
  let third = nearestOnEdge(r3, r1);
  if (dot(second.x, second.x) < dot(best.x, best.x)) {
    best = second;
  }
  if (dot(third.x, third.x) < dot(best.x, best.x)) {
    best = third;
  }
  return Nearest(best.x, best.a, false);
}

struct Answer {
  status: u32,
  distance: f32,
  lower: f32,
  upper: f32,
  // In A's frame.
  normal: vec3f,
  a: vec3f,
}

fn undecided() -> Answer {
  return Answer(ITERATION_LIMIT, 0.0, 0.0, 0.0, vec3f(0.0), vec3f(0.0));
}
