// requires contacts/patches/feature.wgsl
// requires contacts/patches/listed.wgsl
// Tells whether the nearest points of two parts are one place.

// Sine of the angle up to which two triangles are one plane, as in src/contacts/patches/constants.ts.
const FLAT = 0x1p-18f;

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

// Whether a triangle of a part, at its nearest point, rises over the plane of one of another part. All of them are
// looked at, as which one is nearest is rounding.
fn risesOver(ball: Ball, root: u32, place: vec3f, nearest: Feature, first: u32, end: u32, base: u32) -> bool {
  let rounding = 2.0 * ball.error;
  var leaf = leafFrom(ball.shape, 0u, place, 2.0 * rounding);
  while (leaf != NO_BOX) {
    let ranks = ranksOf(ball.shape, leaf);
    for (var rank = ranks.x; rank < ranks.y; rank++) {
      let at = placeOf(rank, first, end);
      if (at == NONE || rootOf(at) != root) {
        continue;
      }
      let triangle = triangleAt(ball.shape, rank);
      if (nearestOn(ball.shape, triangle, place).distance > rounding) {
        continue;
      }
      leaveOpen(!hasFeature(ball.shape, triangle, nearest));
      if (isAbove(ball.shape, triangle, base)) {
        return true;
      }
    }
    leaf = leafFrom(ball.shape, leaf + 1u, place, 2.0 * rounding);
  }
  return false;
}

// Whether a part's nearest point is on a triangle of another part that is nearer to the centre, over a convex edge.
// If two are equally near, the part with the lower feature has the place.
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
        risesOver(ball, root, place, nearest, first, end, other)
      ) {
        continue;
      }
      // For certain only where both have the edge or the corner, and nothing else is as near.
      leaveOpen(!hasFeature(ball.shape, other, nearest));
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
