// requires contacts/patches/ball.wgsl
// requires contacts/field/triangle-tree.wgsl
// The triangles within a ball, and the parts of patches that they make. Binding: `triangles`. Twin:
// src/contacts/patches/nearest-of-patches.ts.

const NONE = 0xffffffffu;
// Bits of `edges`: three for edges that are within the ball for certain, then three for those that may be.
const SURE_EDGES = 0u;
const POSSIBLE_EDGES = 3u;

// Whether float32 leaves open which contacts the pair has.
var<private> isLeftOpen: bool;

fn leaveOpen(isOpen: bool) {
  isLeftOpen = isLeftOpen || isOpen;
}

fn edgesWithin(ball: Ball, triangle: u32) -> u32 {
  let corners = tableOf(ball.shape, CORNERS) + 9u * triangle;
  var edges = 0u;
  for (var side = 0u; side < 3u; side++) {
    let a = vectorAt(corners + 3u * side);
    let b = vectorAt(corners + 3u * ((side + 1u) % 3u));
    let far = length(wayToSide(ball.centre - a, b - a).xyz);
    edges |= select(0u, 1u << (SURE_EDGES + side), far <= ball.radius - ball.error);
    edges |= select(0u, 1u << (POSSIBLE_EDGES + side), far <= ball.radius + ball.error);
  }
  return edges;
}

// Lists the triangles that may be within the ball and face its centre, in the order of the tree. Returns the place
// behind the last.
fn listTriangles(ball: Ball, room: vec2u) -> u32 {
  let reach = ball.radius + ball.error;
  var end = room.x;
  var leaf = leafFrom(ball.shape, 0u, ball.centre, reach);
  while (leaf != NO_BOX) {
    let ranks = ranksOf(ball.shape, leaf);
    for (var rank = ranks.x; rank < ranks.y; rank++) {
      let triangle = triangleAt(ball.shape, rank);
      let height = heightOver(ball.shape, triangle, ball.centre);
      if (height < -ball.error) {
        continue;
      }
      let far = nearestOn(ball.shape, triangle, ball.centre).distance;
      if (far > reach || end == room.y) {
        continue;
      }
      // The centre may lie behind the triangle, or inside the body.
      let hasArea = any(vectorAt(tableOf(ball.shape, NORMALS) + 21u * triangle) != vec3f(0.0));
      leaveOpen((hasArea && height <= ball.error) || far <= ball.error);
      triangles[end] = ListedTriangle(rank, end, far, edgesWithin(ball, triangle), end, triangle, 0u, 0u);
      end++;
    }
    leaf = leafFrom(ball.shape, leaf + 1u, ball.centre, reach);
  }
  return end;
}

// Place of a triangle in a list, or NONE.
fn placeOf(rank: u32, first: u32, end: u32) -> u32 {
  var low = first;
  var high = end;
  while (low < high) {
    let middle = low + (high - low) / 2u;
    if (triangles[middle].rank < rank) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  if (low < end && triangles[low].rank == rank) {
    return low;
  }
  return NONE;
}

// The first triangle of a part: it has what is known of the part.
fn rootOf(place: u32) -> u32 {
  var at = place;
  var parent = triangles[at].parent;
  while (parent != at) {
    let next = triangles[parent].parent;
    triangles[at].parent = next;
    at = next;
    parent = triangles[at].parent;
  }
  return at;
}

fn isNearer(one: ListedTriangle, other: ListedTriangle, shape: u32) -> bool {
  return one.distance < other.distance ||
    (one.distance == other.distance && triangleAt(shape, one.rank) < triangleAt(shape, other.rank));
}

// Joins triangles over edges within the ball: those that are for certain, then those that may be. Which ones these are
// is open if both parts come nearer than the border for certain.
fn joinOver(ball: Ball, edges: u32, first: u32, end: u32) {
  let border = ball.radius - ball.error;
  for (var at = first; at < end; at++) {
    let triangle = triangleAt(ball.shape, triangles[at].rank);
    for (var side = 0u; side < 3u; side++) {
      if (((triangles[at].edges >> (edges + side)) & 1u) == 0u) {
        continue;
      }
      let other = neighbourOf(ball.shape, triangle, side);
      if (other > triangles[at].rank) {
        continue;
      }
      let place = placeOf(other, first, at);
      if (place == NONE) {
        continue;
      }
      let one = rootOf(at);
      let two = rootOf(place);
      if (one == two) {
        continue;
      }
      let root = min(one, two);
      let joined = max(one, two);
      let best = triangles[triangles[root].best];
      let rival = triangles[triangles[joined].best];
      leaveOpen(edges == POSSIBLE_EDGES && best.distance < border && rival.distance < border);
      if (isNearer(rival, best, ball.shape)) {
        triangles[root].best = triangles[joined].best;
      }
      triangles[root].first = min(triangles[root].first, triangles[joined].first);
      triangles[joined].parent = root;
    }
  }
}
