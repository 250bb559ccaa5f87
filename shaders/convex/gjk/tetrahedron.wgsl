// requires convex/pair/pair.wgsl
// Whether a tetrahedron of support points holds the origin for certain: by a margin at every face. The margin covers
// how far support points may be off, and the rounding of the determinants (docs/convex.md, "In float32"). Twin:
// src/convex/gjk/tetrahedron.ts, which decides exactly.

override SUPPORT_ERROR: f32 = 0x1.cp-17;
// Rounding of a volume with the origin, relative to the size times the lengths of the two edges: 9 spacings of 2^-23.
const ROUNDING = 16.0 * 0x1p-23;
// For the face opposite the new point: three such volumes and that of the whole, whose third edge is up to two sizes
// long. The square of a sum of three is at most three times the sum of their squares.
const FACE_ROUNDING = 32.0;

// Faces of the tetrahedron d, d + e1, d + e2, d + e3.
struct Faces {
  // Normals of the faces with d, opposite to the points 1, 2, 3; their length is twice the area.
  n1: vec3f,
  n2: vec3f,
  n3: vec3f,
  // Their squares, and that of the face opposite d.
  squares: vec4f,
  // Volumes of the origin over the faces: barycentric coordinates times their sum, all signs the same inside.
  heights: vec4f,
}

fn facesOf(e1: vec3f, e2: vec3f, e3: vec3f, d: vec3f) -> Faces {
  let n1 = cross(e2, e3);
  let n2 = cross(e3, e1);
  let n3 = cross(e1, e2);
  let n0 = n1 + n2 + n3;
  let h = -vec3f(dot(d, n1), dot(d, n2), dot(d, n3));
  return Faces(
    n1, n2, n3,
    vec4f(dot(n1, n1), dot(n2, n2), dot(n3, n3), dot(n0, n0)),
    vec4f(h, dot(e1, n1) - h.x - h.y - h.z)
  );
}

// l1, l2, l3 are the squared lengths of the edges from d.
fn holdsOrigin(faces: Faces, l1: f32, l2: f32, l3: f32) -> bool {
  // (x + y)^2 <= 2 (x^2 + y^2) saves square roots: x is the error of support points times the area, y the rounding.
  let scale = 2.0 * pair.size * pair.size;
  let products = vec3f(l2 * l3, l3 * l1, l1 * l2);
  let rounding = ROUNDING * ROUNDING * vec4f(products, FACE_ROUNDING * (products.x + products.y + products.z));
  let bounds = scale * (SUPPORT_ERROR * SUPPORT_ERROR * faces.squares + rounding);
  let h = faces.heights;
  let sign = select(1.0, -1.0, h.x < 0.0);
  return all((sign * h > vec4f(0.0)) & (h * h > bounds));
}
