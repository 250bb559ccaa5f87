// requires contacts/planes/above-plane.wgsl
// requires contacts/faces/faces.wgsl
// Finds contacts of planes with shapes that have faces, from the parts of faces below. Twin: `facesBelowPlane` of
// src/contacts/faces/face-pieces.ts. A thread per pair.

const HAS_FACES = 2u;
const NO_NAME = 0xffffffffu;

@compute @workgroup_size(GROUP)
fn sumBelow(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= params.count || pairs[i].kind.x != HAS_FACES) {
    return;
  }
  let to = pairs[i].at;
  corners[to].names = vec4u(NO_NAME);
  corners[to].isNear = 0u;
  if (!areThere(pairs[i])) {
    return;
  }
  let above = abovePlaneOf(pairs[i]);
  let own = colliders[otherOf(pairs[i])];
  if (above.height > own.radius) {
    return;
  }
  corners[to].isNear = 1u;
  let record = faceRecord(own.shape);
  let unit = record.unit;
  let frame = FaceFrame(mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), vec3f(), 1.0 / unit);
  // In the shape's frame. The half-space below the plane counts as inside.
  let plane = vec4f(above.up, -above.height / unit);
  sums = FaceSums();
  for (var p = 0u; p < record.polygonCount; p++) {
    loadFace(record, cornersOf(record, p), frame);
    cut(&face, plane);
    // The force on B, as in the twin.
    addPiece(&face, plane, select(-1.0, 1.0, pairs[i].kind.y == 1u));
  }
  let points = pointsOfSums(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0));
  if (!(points.depth > 0.0)) {
    return;
  }
  for (var k = 0u; k < 3u; k++) {
    let place = above.frame.rotation * (unit * points.places[k]) + above.frame.origin;
    corners[to].points[k] = vec4f(place, -(unit * points.depth));
    corners[to].names[k] = k;
  }
  corners[to].area = unit * unit * (length(points.forces[0]) * points.pressure / points.depth);
  corners[to].status = 0u;
}
