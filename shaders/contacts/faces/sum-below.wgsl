// requires common/from-item-to-item.wgsl
// requires contacts/planes/above-plane.wgsl
// requires contacts/faces/faces.wgsl
// Finds contacts of planes with shapes that have faces, from the parts of faces below. Twin: `facesBelowPlane` of
// src/contacts/faces/face-pieces.ts. A thread goes from pair to pair.

const HAS_FACES = 2u;
const NO_NAME = 0xffffffffu;

// True if a pair is of no shape with faces, or of one that is not there or whose ball does not reach below.
fn isDone(n: u32, above: Above) -> bool {
  let pair = pairs[n];
  if (pair.kind.x != HAS_FACES) {
    return true;
  }
  corners[pair.at].names = vec4u(NO_NAME);
  corners[pair.at].isNear = 0u;
  return !areThere(pair) || above.height > colliders[otherOf(pair)].radius;
}

@compute @workgroup_size(GROUP)
fn sumBelow(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let step = threadsIn(groups);
  for (var n = threadOf(id, groups); n < params.count; n += step) {
    var above = abovePlaneOf(pairs[n]);
    while (n < params.count && isDone(n, above)) {
      n += step;
      above = abovePlaneOf(pairs[min(n, params.count - 1u)]);
    }
    if (n >= params.count) {
      break;
    }
    let pair = pairs[n];
    corners[pair.at].isNear = 1u;
    let record = faceRecord(colliders[otherOf(pair)].shape);
    let unit = record.unit;
    let frame = FaceFrame(mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), vec3f(), 1.0 / unit);
    // In the shape's frame. The half-space below the plane counts as inside.
    let plane = vec4f(above.up, -above.height / unit);
    sums = FaceSums();
    for (var p = 0u; p < record.polygonCount; p++) {
      loadFace(record, cornersOf(record, p), frame);
      cut(&face, plane);
      // The force on B, as in the twin.
      addPiece(&face, plane, select(-1.0, 1.0, pair.kind.y == 1u));
    }
    let points = pointsOfSums(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0));
    if (!(points.depth > 0.0)) {
      continue;
    }
    for (var k = 0u; k < 3u; k++) {
      let place = above.frame.rotation * (unit * points.places[k]) + above.frame.origin;
      corners[pair.at].points[k] = vec4f(place, -(unit * points.depth));
      corners[pair.at].names[k] = k;
    }
    corners[pair.at].area = unit * unit * (length(points.forces[0]) * points.pressure / points.depth);
    corners[pair.at].status = 0u;
  }
}
