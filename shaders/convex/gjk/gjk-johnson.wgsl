// requires convex/gjk/gjk-loop.wgsl
// requires convex/gjk/tetrahedron.wgsl
// requires convex/gjk/simplex-candidates.wgsl
// GJK whose simplex finds its nearest point by Johnson's cofactors: L. Olvang (2010), section 2.3.1, eqs. (6) to (9).
// Twin: src/convex/gjk/gjk-johnson.ts. It is there for comparison with gjk-voronoi.wgsl: on slivers, products of up to
// three dot products lose digits. GJK then gets stuck, and the pair ends as ITERATION_LIMIT.
//
// It looks at all subsets with positive cofactors that hold the new point, and takes the nearest one. Without rounding
// this is the subset that Johnson's conditions choose; with rounding it is Gilbert's backup. Subsets that hold the same
// point twice have cofactors of 0.

@compute @workgroup_size(GROUP)
fn gjkJohnson(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let item = id.x + id.y * groups.x * GROUP;
  if (isInBucket(item)) {
    answerPair(firstSlot() + item);
  }
}

fn reduceSimplex(simplex: ptr<function, Simplex>, d: vec3f, a: vec3f) -> Nearest {
  let w1 = (*simplex).w1;
  let w2 = (*simplex).w2;
  let w3 = (*simplex).w3;
  let e1 = w1 - d;
  let e2 = w2 - d;
  let e3 = w3 - d;
  let inside = holdsOrigin(facesOf(e1, e2, e3, d), dot(e1, e1), dot(e2, e2), dot(e3, e3));

  let own = dot(d, d);
  // Dot products of d with the others, and of the others with themselves and with each other: 12, 23, 31.
  let crossed = vec3f(dot(d, w1), dot(d, w2), dot(d, w3));
  let squares = vec3f(dot(w1, w1), dot(w2, w2), dot(w3, w3));
  let mixed = vec3f(dot(w1, w2), dot(w2, w3), dot(w3, w1));
  // Of {d, i}: cofactors of i and of d.
  let ofOther = vec3f(own) - crossed;
  let ofNew = squares - crossed;

  var best = Candidate(vec3f(0.0), d, own);
  let two = ofOther / (ofOther + ofNew);
  let segments = (ofOther > vec3f(0.0)) & (ofNew > vec3f(0.0));
  nearer(&best, candidate(vec3f(two.x, 0.0, 0.0), segments.x, d, e1, e2, e3));
  nearer(&best, candidate(vec3f(0.0, two.y, 0.0), segments.y, d, e1, e2, e3));
  nearer(&best, candidate(vec3f(0.0, 0.0, two.z), segments.z, d, e1, e2, e3));
  let c12 = cofactors(own, crossed.x, crossed.y, squares.x, squares.y, mixed.x);
  let t12 = c12.xy / (c12.x + c12.y + c12.z);
  nearer(&best, candidate(vec3f(t12, 0.0), all(c12 > vec3f(0.0)), d, e1, e2, e3));
  let c23 = cofactors(own, crossed.y, crossed.z, squares.y, squares.z, mixed.y);
  let t23 = c23.xy / (c23.x + c23.y + c23.z);
  nearer(&best, candidate(vec3f(0.0, t23), all(c23 > vec3f(0.0)), d, e1, e2, e3));
  let c31 = cofactors(own, crossed.z, crossed.x, squares.z, squares.x, mixed.z);
  let t31 = c31.xy / (c31.x + c31.y + c31.z);
  nearer(&best, candidate(vec3f(t31.y, 0.0, t31.x), all(c31 > vec3f(0.0)), d, e1, e2, e3));
  return keepPoints(simplex, d, a, best.weights, best.direction, inside);
}

// Eq. (9): cofactors of i, j and d in {d, i, j}.
fn cofactors(own: f32, i: f32, j: f32, ii: f32, jj: f32, ij: f32) -> vec3f {
  return vec3f(
    (jj - j) * (own - i) + (own - j) * (j - ij),
    (ii - i) * (own - j) + (own - i) * (i - ij),
    (jj - ij) * (ii - i) + (ii - ij) * (ij - j)
  );
}

// Eqs. (7) and (8).
fn candidate(weights: vec3f, holds: bool, d: vec3f, e1: vec3f, e2: vec3f, e3: vec3f) -> Candidate {
  let v = d + weights.x * e1 + weights.y * e2 + weights.z * e3;
  return Candidate(weights, v, select(NO_POINT, dot(v, v), holds));
}
