// requires contacts/patches/listed.wgsl
// Whether the nearest points of two parts are one place.

// Sine of the angle up to which two triangles are one plane, as in src/contacts/patches/constants.ts.
const FLAT = 0x1p-18f;

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

// Whether a triangle rises over the plane of another one: they meet at a concave edge or corner.
fn isAbove(shape: u32, triangle: u32, base: u32) -> bool {
  let corners = tableOf(shape, CORNERS);
  let normal = vectorAt(tableOf(shape, NORMALS) + 21u * base);
  var height = 0.0;
  var lengths = 0.0;
  for (var k = 0u; k < 9u; k += 3u) {
    let way = vectorAt(corners + 9u * triangle + k) - vectorAt(corners + 9u * base);
    height += dot(normal, way);
    lengths += length(way);
  }
  return height > FLAT * lengths;
}

// Whether a part's nearest point is on a triangle of another part that is nearer to the centre, over a convex edge.
// Of two that are equally near, the part with the lower feature has the place.
fn isOthers(ball: Ball, root: u32, first: u32, end: u32) -> bool {
  let own = triangles[triangles[root].best];
  let triangle = triangleAt(ball.shape, own.rank);
  let place = ball.centre + nearestOn(ball.shape, triangle, ball.centre).way;
  // Each of two places, or distances, may be off.
  let rounding = 2.0 * ball.error;
  let nearest = clearFeature(ball.shape, triangle, ball.centre, rounding);
  var found = false;
  var leaf = leafFrom(ball.shape, 0u, place, 2.0 * rounding);
  while (leaf != NO_BOX) {
    let ranks = ranksOf(ball.shape, leaf);
    for (var rank = ranks.x; rank < ranks.y; rank++) {
      let at = placeOf(rank, first, end);
      if (at == NONE || rootOf(at) == root) {
        continue;
      }
      let nearer = own.distance - triangles[at].distance;
      let other = triangleAt(ball.shape, rank);
      if (
        nearer < -rounding || nearestOn(ball.shape, other, place).distance > rounding ||
        isAbove(ball.shape, triangle, other)
      ) {
        continue;
      }
      // For certain only where both have the edge or the corner, and nothing else is as near.
      leaveOpen(
        !(nearest.isClear && isCornerOf(ball.shape, other, nearest.a) && isCornerOf(ball.shape, other, nearest.b))
      );
      if (nearer > rounding) {
        found = true;
        continue;
      }
      let same = clearFeature(ball.shape, other, ball.centre, rounding);
      let isOne = (all(same.a == nearest.a) && all(same.b == nearest.b)) ||
        (all(same.a == nearest.b) && all(same.b == nearest.a));
      leaveOpen(!(same.isClear && isOne));
      found = found || triangles[rootOf(at)].feature < triangles[root].feature;
    }
    leaf = leafFrom(ball.shape, leaf + 1u, place, 2.0 * rounding);
  }
  return found;
}
