// requires convex/mpr/ray.wgsl
// K is the hull of a ball about the inner point and of up to three support points. These are the planes through which
// the ray leaves K, seen along the ray. Twin: src/convex/mpr/ball-portal.ts, which says why.

// Least radius of the ball to start from, in units of the pair's size.
override LEAST_INBALL: f32 = 0x1p-10;

// What a plane goes through: the new point alone, or the new point and one of two others.
const NO_PLANE = 0u;
const ALONE = 1u;
const WITH_FIRST = 2u;
const WITH_SECOND = 3u;

struct BallPlane {
  normal: vec3f,
  // Distance from the inner point, at least that of every point of K.
  height: f32,
  // Where the ray meets it.
  exit: f32,
  held: u32,
}

// Normal of the plane that touches the ball and goes through a point where the ray meets it; 0 if there is none.
fn throughOne(w: vec3f, radius: f32) -> vec3f {
  let squared = dot(w, w);
  let across = dot(w.xy, w.xy);
  if (!(squared > radius * radius && across > 0.0)) {
    return vec3f(0.0);
  }
  let p = radius / squared;
  let q = sqrt((1.0 - radius * p) / (squared * across));
  return normalize(p * w + q * vec3f(-w.z * w.xy, across));
}

// The same through two points: of both such planes the one that faces the ray.
fn throughTwo(v: vec3f, w: vec3f, radius: f32) -> vec3f {
  let m = cross(v, w);
  let squared = dot(m, m);
  if (!(squared > 0.0)) {
    return vec3f(0.0);
  }
  let a = radius * dot(w, w - v) / squared;
  let b = radius * dot(v, v - w) / squared;
  let rest = 1.0 - radius * (a + b);
  if (!(rest > 0.0)) {
    return vec3f(0.0);
  }
  let up = sqrt(rest / squared);
  return normalize(a * v + b * w + select(up, -up, m.z < 0.0) * m);
}

// Whether the ray passes between three points and their plane has the ball behind it.
fn passesPortal(p: vec3f, q: vec3f, w: vec3f, radius: f32) -> bool {
  let s1 = side(p, q);
  let s2 = side(q, w);
  let s3 = side(w, p);
  let n = cross(q - p, w - p);
  let height = dot(n, p);
  return ((s1 >= 0.0 && s2 >= 0.0 && s3 >= 0.0) || (s1 <= 0.0 && s2 <= 0.0 && s3 <= 0.0))
    && height * height > radius * radius * dot(n, n);
}

// Takes a plane with this normal, moved out until all of K is behind it, if the ray meets it before the plane `than`.
fn sooner(than: BallPlane, n: vec3f, height: f32, held: u32) -> BallPlane {
  if (n.z > 0.0 && height < than.exit * n.z) {
    return BallPlane(n, height, height / n.z, held);
  }
  return than;
}

// The plane with K behind it that the ray meets first, once the new point w is in K; `count` points v1, v2 held the
// last one.
fn nextPlane(v1: vec3f, v2: vec3f, w: vec3f, count: u32, radius: f32) -> BallPlane {
  // In place of points that are not there it takes the inner point, which reaches nowhere.
  let p1 = select(vec3f(0.0), v1, count > 0u);
  let p2 = select(vec3f(0.0), v2, count > 1u);
  let one = throughOne(w, radius);
  let first = throughTwo(p1, w, radius);
  let second = throughTwo(p2, w, radius);
  var best = BallPlane(vec3f(0.0, 0.0, 1.0), 0.0, 0x1.fffffep+127, NO_PLANE);
  best = sooner(best, one, max(radius, max(dot(one, p1), dot(one, p2))), ALONE);
  best = sooner(best, first, max(radius, dot(first, p2)), WITH_FIRST);
  best = sooner(best, second, max(radius, dot(second, p1)), WITH_SECOND);
  return best;
}

// Whether K holds the origin for sure. The ray leaves K at a mean of P and a point of the ball, where P is a point of
// the edge that holds the plane. With weights in proportion, P and another point of the ball make up the origin.
fn holdsOrigin(n: vec3f, v: vec3f, w: vec3f, radius: f32, origin: f32, error: f32) -> bool {
  // The point of the edge v, w in the plane of ray and normal.
  let f = n.x * v.y - n.y * v.x;
  let g = n.x * w.y - n.y * w.x;
  let t = select(clamp(f / (f - g), 0.0, 1.0), 0.0, f == g);
  let p = mix(v, w, t);
  let across = length(p.xy);
  let taken = radius * length(n.xy);
  let share = select(1.0, taken / (across + taken), across > 0.0);
  let at = share * p.z + (1.0 - share) * radius * n.z;
  if (!(at > origin)) {
    return false;
  }
  let weight = share * origin / at;
  return length(vec3f(0.0, 0.0, origin) - weight * p) + error <= (1.0 - weight) * radius;
}
