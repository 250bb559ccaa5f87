// requires dem/forces/inverse-length.wgsl
// The area over which surfaces of a pair pull at each other, of all its contacts but those of edges. Twin: `pullOf` of
// src/dem/impulses/pulls.ts. Bindings: `records`.

const PI = 3.14159265f;

// Grows with the angle of a direction, from -2 to 2.
fn angleLike(x: f32, y: f32) -> f32 {
  let size = abs(x) + abs(y);
  let share = select(y / size, 0.0, size == 0.0);
  return select(share, select(-2.0 - share, 2.0 - share, y >= 0.0), x < 0.0);
}

struct Plane {
  middle: vec3f,
  along: vec3f,
  across: vec3f,
}

fn placeIn(plane: Plane, i: u32) -> vec2f {
  let way = records[i].offset - plane.middle;
  return vec2f(dot(way, plane.along), dot(way, plane.across));
}

// Area that some places span, seen along their first normal: in the order of their angles about the middle, of which
// the next one is looked for at each.
fn spannedArea(first: u32, end: u32) -> f32 {
  let n = records[first].normal;
  var plane = Plane();
  for (var i = first; i < end; i++) {
    plane.middle += records[i].offset / f32(end - first);
  }
  plane.along = normalize(cross(n, select(vec3f(0.0, 1.0, 0.0), vec3f(1.0, 0.0, 0.0), abs(n.x) < 0.6)));
  plane.across = cross(n, plane.along);
  var twice = 0.0;
  for (var i = first; i < end; i++) {
    let own = placeIn(plane, i);
    let angle = angleLike(own.x, own.y);
    // The least angle above the own one, and the least of all; where angles are equal, the place in the list decides.
    var above = i;
    var least = i;
    var leastAngle = angle;
    var angleAbove = 3.0;
    for (var j = first; j < end; j++) {
      let other = placeIn(plane, j);
      let otherAngle = angleLike(other.x, other.y);
      if ((otherAngle > angle || (otherAngle == angle && j > i)) && otherAngle < angleAbove) {
        angleAbove = otherAngle;
        above = j;
      }
      if (otherAngle < leastAngle || (otherAngle == leastAngle && j < least)) {
        leastAngle = otherAngle;
        least = j;
      }
    }
    let next = placeIn(plane, select(least, above, above != i));
    twice += own.x * next.y - own.y * next.x;
  }
  return abs(0.5 * twice);
}

fn pullArea(first: u32, end: u32, curvatureA: f32, curvatureB: f32) -> f32 {
  if (first == end) {
    return 0.0;
  }
  var sum = 0.0;
  var depth = 0.0;
  for (var i = first; i < end; i++) {
    sum += records[i].area;
    depth -= records[i].distance;
  }
  if (sum > 0.0) {
    return select(sum, 0.5 * sum, kindOf(records[first]) == NODE);
  }
  if (end - first > 2u) {
    return spannedArea(first, end);
  }
  let curvature = inverseLength(curvatureA) + inverseLength(curvatureB);
  return select(0.0, PI * depth / curvature, curvature > 0.0);
}
