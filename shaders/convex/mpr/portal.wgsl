// requires convex/mpr/ray.wgsl
// requires convex/mpr/ball-portal.wgsl
// Portals of Minkowski Portal Refinement, on whole shapes. Twin: src/convex/mpr/portal.ts; float32 in docs/convex.md.
//
// The ray passes a portal if (0, 0) lies in the triangle of its corners' x and y. So three determinants of two rows
// tell where to go on.

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
// The origin lies in A - B, for sure.
const INSIDE_BALL_HULL = 5u;

// Corners, seen along the ray, and the points on A.
struct Portal {
  x1: vec3f,
  x2: vec3f,
  x3: vec3f,
  a1: vec3f,
  a2: vec3f,
  a3: vec3f,
  // The last support point, its plane's normal, seen along the ray, and the distances of the planes through the
  // corners and through r4 from the origin, positive where the origin lies behind them.
  x4: vec3f,
  a4: vec3f,
  normal: vec3f,
  inner: f32,
  outer: f32,
  end: u32,
}

// Goes along the ray until an end that is asked for: always ON_BOUNDARY; BEHIND_PORTAL and INSIDE_BALL_HULL with
// `stopInside`; BEYOND_SUPPORT with `stopOutside`. If a ball about the ray's start is known, the search for the first
// portal starts from it; else it goes by algorithms 6 and 7, eqs. (7) to (11). Then it goes on by algorithm 8, eq.
// (13). Each round asks for one support point, whatever it is for: code for a second one would be as long again. If
// rounding lets the ray miss a portal, it is found again.
fn portalAlong(ray: Ray, radius: f32, gap: f32, stopInside: bool, stopOutside: bool) -> Portal {
  let touching = TOUCHING * pair.size;
  mayClimb = canClimb(pair.recordA, KIND_A) || canClimb(pair.recordB, KIND_B);
  var x1 = vec3f(0.0);
  var x2 = vec3f(0.0);
  var x3 = vec3f(0.0);
  var a1 = vec3f(0.0);
  var a2 = vec3f(0.0);
  var a3 = vec3f(0.0);
  var p = Portal();
  // How many corners are found, up to two. The third is found as if the ray missed a portal of r1, r2 and the inner
  // point.
  var found = 0u;
  // Whether the ball's planes are followed; the last one.
  var onBall = radius > LEAST_INBALL * pair.size;
  var ballNormal = vec3f(0.0, 0.0, 1.0);
  var ballHeight = radius;
  for (var step = 0u; step < MOST_STEPS; step++) {
    let s1 = side(x2, x3);
    let s2 = side(x3, x1);
    let s3 = side(x1, x2);
    let missed3 = s3 < 0.0;
    let missed1 = !missed3 && s1 < 0.0;
    let missed2 = !missed3 && !missed1 && s2 < 0.0;
    let missed = missed1 || missed2 || missed3;
    var n = ballNormal;
    if (!onBall && found != 0u) {
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
    // The smallest of three products is safe, however poor the normal of a slender portal is.
    let onPortal = !onBall && found == 2u && !missed;
    p.inner = min(dot(n, x1), min(dot(n, x2), dot(n, x3))) - n.z * ray.origin;
    if (stopInside && onPortal && p.inner > touching) {
      p.end = BEHIND_PORTAL;
      break;
    }
    let r4 = support(ray, n);
    p.outer = dot(n, r4.x) - n.z * ray.origin;
    p.normal = n;
    p.x4 = r4.x;
    p.a4 = r4.a;
    // Algorithms 6 and 7 ask for a whole portal before anything is decided.
    let apart = stopOutside && (KNOWS_INBALL || onPortal) && p.outer < -touching;
    let first = found == 0u && length(r4.x.xy) <= touching;
    if (apart || first) {
      if (!mayClimb) {
        x1 = r4.x;
        a1 = r4.a;
        p.end = select(ON_RAY, BEYOND_SUPPORT, apart);
        break;
      }
      // This is a proof, so it is asked for once more among all vertices.
      mayClimb = false;
      continue;
    }
    if (onBall) {
      if (found == 2u && passesPortal(x1, x2, r4.x, radius)) {
        // Counter-clockwise, seen along the ray.
        let turn = side(x1, x2) + side(x2, r4.x) + side(r4.x, x1) < 0.0;
        let o1 = x1;
        let b1 = a1;
        x1 = select(x1, x2, turn);
        a1 = select(a1, a2, turn);
        x2 = select(x2, o1, turn);
        a2 = select(a2, b1, turn);
        x3 = r4.x;
        a3 = r4.a;
        onBall = false;
        continue;
      }
      let next = nextPlane(x1, x2, r4.x, found, radius);
      if (dot(n, r4.x) - ballHeight <= touching || next.held == NO_PLANE) {
        // The ball reaches the boundary. The search starts again without it.
        onBall = false;
        found = 0u;
        ballNormal = vec3f(0.0, 0.0, 1.0);
        continue;
      }
      let other = select(x1, x2, next.held == WITH_SECOND);
      let otherA = select(a1, a2, next.held == WITH_SECOND);
      let alone = next.held == ALONE;
      x1 = select(other, r4.x, alone);
      a1 = select(otherA, r4.a, alone);
      x2 = r4.x;
      a2 = r4.a;
      found = select(2u, 1u, alone);
      ballNormal = next.normal;
      ballHeight = next.height;
      let error = PORTAL_ERROR * pair.size;
      if (stopInside && next.exit > ray.origin && holdsOrigin(next.normal, x1, x2, radius, ray.origin, error)) {
        p.end = INSIDE_BALL_HULL;
        break;
      }
      continue;
    }
    if (found < 2u) {
      if (found == 0u) {
        x1 = r4.x;
        a1 = r4.a;
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
    if (onPortal) {
      let enough = select(gap, max(gap, STALLED_GAP * pair.size), step >= MOST_STEPS / 2u);
      if (p.outer - p.inner <= enough) {
        if (!mayClimb) {
          p.end = ON_BOUNDARY;
          break;
        }
        mayClimb = false;
        continue;
      }
      // Eq. (13): r4 takes the place of the corner that leaves a portal around the ray. Two of three signs decide.
      let ahead = side(r4.x, x1) >= 0.0;
      take1 = select(side(r4.x, x3) < 0.0, side(r4.x, x2) > 0.0, ahead);
      take2 = !ahead && !take1;
    }
    // Eqs. (10), (11): where the ray lies beyond a side, the side is turned and gets a point on the ray's side.
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

