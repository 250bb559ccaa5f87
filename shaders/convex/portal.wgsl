// requires convex/result.wgsl
// Portals of Minkowski Portal Refinement, on whole shapes. Twin: src/convex/portal.ts; float32 in docs/convex.md.
//
// All is seen along the ray: z along it from where it starts, an inner point of A - B; x and y across it. The ray passes a portal
// if (0, 0) lies in the triangle of its corners' x and y, so that three products of two numbers say where to go on.

// Lengths below these parts of the pair's size are 0; values and reasons in src/constants.ts.
override TOUCHING: f32 = 0x1p-16;
override PORTAL_ERROR: f32 = 0x1.8p-17;
// No smaller gap between planes is asked for.
override LEAST_GAP: f32 = 0x1p-19;
// Good enough where rounding stops all progress.
override STALLED_GAP: f32 = 0x1p-18;
override MOST_STEPS: u32 = 100u;
// Whether points on A are wanted.
override WITH_POINTS: bool = true;

// The search along a ray has failed: a flat difference, no progress.
const FAILED = 0u;
// The first corner is on the ray, termination condition (TC1).
const ON_RAY = 1u;
// The portal is in a plane that all of A - B lies behind, to the gap (TC2).
const ON_BOUNDARY = 2u;
// The origin lies behind the portal's plane, if the ray passes the portal.
const BEHIND_PORTAL = 3u;
// The origin lies beyond the support plane.
const BEYOND_SUPPORT = 4u;

struct Ray {
  // From the ray's axes to A's.
  axes: mat3x3f,
  start: vec3f,
  // Where on the ray the origin lies.
  origin: f32,
}

// A support point: seen along the ray, and the point on A.
struct Corner {
  x: vec3f,
  a: vec3f,
}

// Corners, seen along the ray, and the points on A.
struct Portal {
  x1: vec3f,
  x2: vec3f,
  x3: vec3f,
  a1: vec3f,
  a2: vec3f,
  a3: vec3f,
  // The last support point, its plane's normal, seen along the ray, and the distances of the planes through the corners and
  // through r4 from the origin, positive where the origin lies behind them.
  x4: vec3f,
  a4: vec3f,
  normal: vec3f,
  inner: f32,
  outer: f32,
  end: u32,
}

var<private> calls: u32;

// A ray in a direction of unit length. Axes across it: T. Duff et al., "Building an orthonormal basis, revisited", JCGT 6 (2017).
fn rayFrom(start: vec3f, direction: vec3f, origin: f32) -> Ray {
  let s = select(1.0, -1.0, direction.z < 0.0);
  let a = -1.0 / (s + direction.z);
  let b = direction.x * direction.y * a;
  let u = vec3f(1.0 + s * direction.x * direction.x * a, s * b, -s * direction.x);
  let v = vec3f(b, s + direction.y * direction.y * a, -direction.y);
  return Ray(mat3x3f(u, v, direction), start, origin);
}

// From the inner point through the origin, eqs. (6) and (7).
fn rayThroughOrigin() -> Ray {
  let far = length(pair.offset);
  return rayFrom(-pair.offset, pair.offset / far, far);
}

fn centresCoincide() -> bool {
  return !(length(pair.offset) > TOUCHING * pair.size);
}

// Radius of a ball about a shape's centre that lies in it, in units of the record.
fn recordInball(record: u32) -> f32 {
  return bitcast<f32>(records[RECORD * record + 4u].y);
}

// Of that of the difference, about the inner point.
fn inball() -> f32 {
  return pair.scaleA * recordInball(pair.recordA) + pair.scaleB * recordInball(pair.recordB);
}

// Places a pair; false if its lengths are beyond float32.
fn placeOnRay(bodyA: u32, bodyB: u32) -> bool {
  placePair(bodyA, bodyB);
  calls = 0u;
  return pair.unit > 0.0;
}

fn support(ray: Ray, n: vec3f) -> Corner {
  calls++;
  let along = ray.axes * n;
  let point = supportPoint(along);
  let w = point.w + (pair.marginA + pair.marginB) * along;
  return Corner((w - ray.start) * ray.axes, point.a + pair.marginA * along);
}

// Twice the area of (0, 0), p, q, positive counter-clockwise.
fn side(p: vec3f, q: vec3f) -> f32 {
  return p.x * q.y - p.y * q.x;
}

// Algorithms 6 to 8, eqs. (7) to (13), along the ray until the ends asked for: ON_BOUNDARY always, BEHIND_PORTAL and
// BEYOND_SUPPORT if the sign is wanted. One support point a round, whatever it is for: code for a second one would be as long
// again. Where rounding lets the ray miss a portal, it is found again.
fn portalAlong(ray: Ray, gap: f32, stopInside: bool, stopOutside: bool) -> Portal {
  let touching = TOUCHING * pair.size;
  mayClimb = canClimb(pair.recordA, KIND_A) || canClimb(pair.recordB, KIND_B);
  var x1 = vec3f(0.0);
  var x2 = vec3f(0.0);
  var x3 = vec3f(0.0);
  var a1 = vec3f(0.0);
  var a2 = vec3f(0.0);
  var a3 = vec3f(0.0);
  var p = Portal();
  // Corners found, up to two: r3 is found as if the ray missed a portal of r1, r2 and the inner point.
  var found = 0u;
  for (var step = 0u; step < MOST_STEPS; step++) {
    let s1 = side(x2, x3);
    let s2 = side(x3, x1);
    let s3 = side(x1, x2);
    let missed3 = s3 < 0.0;
    let missed1 = !missed3 && s1 < 0.0;
    let missed2 = !missed3 && !missed1 && s2 < 0.0;
    let missed = missed1 || missed2 || missed3;
    var n = vec3f(0.0, 0.0, 1.0);
    if (found != 0u) {
      // Eq. (8). Seen along the ray, r2 lies clockwise of r1.
      var across = vec3f(x1.y, -x1.x, 0.0);
      if (found == 2u) {
        let p = select(x2 - x1, select(select(x1, x3, missed1), x2, missed3), missed);
        let q = select(x3 - x1, select(select(x3, x2, missed1), x1, missed3), missed);
        across = cross(p, q);
      }
      let squared = dot(across, across);
      if (!(squared > 0.0)) {
        break;
      }
      n = across * inverseSqrt(squared);
    }
    let r4 = support(ray, n);
    if (found < 2u) {
      if (found == 0u) {
        x1 = r4.x;
        a1 = r4.a;
        if (length(x1.xy) <= touching) {
          if (!mayClimb) {
            p.end = ON_RAY;
            break;
          }
          mayClimb = false;
          continue;
        }
      } else {
        x2 = r4.x;
        a2 = r4.a;
        if (side(x1, x2) >= 0.0) {
          break;
        }
      }
      found++;
      continue;
    }
    var take1 = missed1;
    var take2 = missed2;
    if (!missed) {
      // The smallest of three products is sure, however poor the normal of a slender portal.
      let least = min(dot(n, x1), min(dot(n, x2), dot(n, x3)));
      p.inner = least - n.z * ray.origin;
      p.outer = dot(n, r4.x) - n.z * ray.origin;
      p.normal = n;
      p.x4 = r4.x;
      p.a4 = r4.a;
      if (stopInside && p.inner > touching) {
        p.end = BEHIND_PORTAL;
        break;
      }
      let apart = stopOutside && p.outer < -touching;
      let enough = select(gap, max(gap, STALLED_GAP * pair.size), step >= MOST_STEPS / 2u);
      if (apart || p.outer - p.inner <= enough) {
        if (!mayClimb) {
          p.end = select(ON_BOUNDARY, BEYOND_SUPPORT, apart);
          break;
        }
        // A proof: the same once more, of all vertices.
        mayClimb = false;
        continue;
      }
      // Eq. (13): r4 takes the place of the corner that leaves a portal around the ray. Two of three signs decide.
      let ahead = side(r4.x, x1) >= 0.0;
      take1 = select(side(r4.x, x3) < 0.0, side(r4.x, x2) > 0.0, ahead);
      take2 = !ahead && !take1;
    }
    // Eqs. (10), (11): a side that the ray lies beyond is turned, and gets a point on the ray's side.
    let o1 = x1;
    let o2 = x2;
    let o3 = x3;
    let take3 = !take1 && !take2;
    x1 = select(select(select(o1, o2, missed3), o3, missed2), r4.x, take1);
    x2 = select(select(select(o2, o1, missed3), o3, missed1), r4.x, take2);
    x3 = select(select(select(o3, o2, missed1), o1, missed2), r4.x, take3);
    if (WITH_POINTS) {
      let b1 = a1;
      let b2 = a2;
      let b3 = a3;
      a1 = select(select(select(b1, b2, missed3), b3, missed2), r4.a, take1);
      a2 = select(select(select(b2, b1, missed3), b3, missed1), r4.a, take2);
      a3 = select(select(select(b3, b2, missed1), b1, missed2), r4.a, take3);
    }
  }
  p.x1 = x1;
  p.x2 = x2;
  p.x3 = x3;
  p.a1 = a1;
  p.a2 = a2;
  p.a3 = a3;
  return p;
}

// How far behind the side of the tetrahedron from the ray's start through p, q the origin lies, at least.
fn behindSide(p: vec3f, q: vec3f, origin: f32) -> f32 {
  let n = cross(p, q);
  let area = length(n);
  let rounding = 0x1p-20 * length(p) * length(q);
  return select(0.0, origin * (n.z - rounding) / (area + rounding), area > 0.0);
}

// Whether the origin lies in A - B for sure, once it is behind the portal's plane or the first corner, more than TOUCHING.
fn surelyInside(p: Portal, origin: f32) -> bool {
  let rounding = PORTAL_ERROR * pair.size;
  // Where the ray passes the portal: a point of A - B, of which rounding leaves a part across the ray.
  let s1 = max(side(p.x2, p.x3), 0.0);
  let s2 = max(side(p.x3, p.x1), 0.0);
  let s3 = max(side(p.x1, p.x2), 0.0);
  let sum = s1 + s2 + s3;
  let onPortal = p.end != ON_RAY && sum > 0.0;
  let passed = select(p.x1, (s1 * p.x1 + s2 * p.x2 + s3 * p.x3) / sum, onPortal);
  if (!(passed.z > origin)) {
    return false;
  }
  // A ball about the start shrinks on the way there.
  if ((1.0 - origin / passed.z) * inball() >= length(passed.xy) + rounding) {
    return true;
  }
  // A ball about the origin in the tetrahedron of start and portal.
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
