// requires contacts/field/shape.wgsl
// Edges and corners that have a nearest point for certain.

// An edge of a triangle, or a corner twice.
struct Feature {
  isClear: bool,
  a: vec3f,
  b: vec3f,
}

// The edge or the corner that has the point nearest to p, and would have it if p were moved by less than the margin.
fn clearFeature(shape: u32, triangle: u32, p: vec3f, margin: f32) -> Feature {
  let corners = tableOf(shape, CORNERS) + 9u * triangle;
  let outwards = vectorAt(tableOf(shape, NORMALS) + 21u * triangle) * numberAt(SHAPE_WORDS * shape + TURN);
  for (var k = 0u; k < 3u; k++) {
    let a = vectorAt(corners + 3u * k);
    let b = vectorAt(corners + 3u * ((k + 1u) % 3u));
    let c = vectorAt(corners + 3u * ((k + 2u) % 3u));
    let u = b - a;
    let w = c - a;
    let size = length(u);
    let along = dot(p - a, u);
    let beyond = -dot(outwards, cross(u, p - a));
    if (beyond > margin * size && along > margin * size && along < (size - margin) * size) {
      return Feature(true, a, b);
    }
    if (along < -margin * size && dot(p - a, w) < -margin * length(w)) {
      return Feature(true, a, a);
    }
  }
  return Feature(false, vec3f(0.0), vec3f(0.0));
}

fn isCornerOf(shape: u32, triangle: u32, p: vec3f) -> bool {
  let corners = tableOf(shape, CORNERS) + 9u * triangle;
  return all(vectorAt(corners) == p) || all(vectorAt(corners + 3u) == p) || all(vectorAt(corners + 6u) == p);
}

fn hasFeature(shape: u32, triangle: u32, feature: Feature) -> bool {
  return feature.isClear && isCornerOf(shape, triangle, feature.a) && isCornerOf(shape, triangle, feature.b);
}
