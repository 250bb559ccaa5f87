// requires convex/gjk/gjk-loop.wgsl
// The nearest of several points of a simplex, and what is then kept of the simplex. Both sub-algorithms of GJK share
// it.

struct Candidate {
  // Weights of the three old points; the new one has the rest.
  weights: vec3f,
  // From the origin to the point, of any length.
  direction: vec3f,
  squared: f32,
}

// Squared distance of a candidate that is no point of the simplex.
const NO_POINT = 0x1p100;

fn nearer(best: ptr<function, Candidate>, other: Candidate) {
  if (other.squared < (*best).squared) {
    *best = other;
  }
}

// Keeps the points that have a weight. The new point goes into all other places, and its weight is shared among them.
fn keepPoints(
  simplex: ptr<function, Simplex>,
  d: vec3f,
  a: vec3f,
  old: vec3f,
  direction: vec3f,
  inside: bool
) -> Nearest {
  let kept = old > vec3f(0.0);
  let free = 3.0 - dot(select(vec3f(0.0), vec3f(1.0), kept), vec3f(1.0));
  let share = (1.0 - old.x - old.y - old.z) / free;
  if (!inside) {
    (*simplex).w1 = select(d, (*simplex).w1, kept.x);
    (*simplex).w2 = select(d, (*simplex).w2, kept.y);
    (*simplex).w3 = select(d, (*simplex).w3, kept.z);
    (*simplex).a1 = select(a, (*simplex).a1, kept.x);
    (*simplex).a2 = select(a, (*simplex).a2, kept.y);
    (*simplex).a3 = select(a, (*simplex).a3, kept.z);
  }
  return Nearest(select(vec3f(share), old, kept), direction, inside);
}
