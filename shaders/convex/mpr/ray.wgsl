// requires convex/pair/bucket.wgsl
// The ray of Minkowski Portal Refinement goes from an inner point of A - B through the origin. Support points are seen
// along it: z runs along the ray from its start, x and y run across it. Twin: src/convex/mpr/ray.ts.

// Lengths below these parts of the pair's size count as 0; src/constants.ts has the values and their reasons.
override TOUCHING: f32 = 0x1.cp-16;
override PORTAL_ERROR: f32 = 0x1p-16;
// No smaller gap between planes is asked for.
override LEAST_GAP: f32 = 0x1p-19;
// Good enough where rounding stops all progress.
override STALLED_GAP: f32 = 0x1p-18;
override MOST_STEPS: u32 = 100u;
// False for the steps of Olvang's thesis, which know no ball about the inner point.
override KNOWS_INBALL: bool = true;
// Whether points on A are wanted.
override WITH_POINTS: bool = true;

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

var<private> calls: u32;

// A ray in a direction of unit length. Axes across it: T. Duff et al., "Building an orthonormal basis, revisited",
// JCGT 6 (2017).
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

// Radius of a ball about the inner point that lies in the difference; 0 if it is left out.
fn inball() -> f32 {
  let radius = pair.scaleA * records[pair.recordA].inball + pair.scaleB * records[pair.recordB].inball;
  return select(0.0, radius, KNOWS_INBALL);
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

