// requires contacts/patches/ball.wgsl
// requires contacts/field/triangle-tree.wgsl
// Contacts of balls with polyhedra as records of the list. Twin: src/contacts/patches/patch-contacts.ts. A thread per
// pair.

const PATCH_KIND = 2u;
const FEATURE_OF_B = 0x80000000u;
const SURE = 0u;
const IS_OPEN = 2u;
const IS_DEEP = 3u;

// `outwards` is the unit normal of the polyhedron, in its frame, and `far` the centre's signed distance from it. What
// there is no room for is left out.
fn writeContact(
  place: u32,
  pair: vec2u,
  ball: Ball,
  feature: u32,
  triangle: u32,
  far: f32,
  outwards: vec3f,
  status: u32,
) {
  if (place >= arrayLength(&records)) {
    return;
  }
  let a = colliders[pair.x];
  let b = colliders[pair.y];
  let normal = ball.mesh.rotation * outwards;
  records[place] = ContactRecord(
    a.body,
    b.body,
    a.part | (b.part << 16u),
    feature | select(0u, FEATURE_OF_B, ball.isB),
    select(-normal, normal, ball.isB),
    far - ball.radius,
    // From the centre to halfway between the ball's lowest point and the surface.
    ball.own.origin - 0.5 * (ball.radius + far) * normal,
    0.0,
    triangle,
    PATCH_KIND | (status << 8u),
    vec2u(0u),
  );
}

// The unit direction from the nearest point of a triangle to a centre outside.
fn directionFrom(shape: u32, found: Nearest) -> vec3f {
  // Of a face, the pseudo-normal is the direction itself.
  if (found.feature != 0u && found.distance > LEAST_WAY * numberAt(SHAPE_WORDS * shape + CELL_SIZE)) {
    return -found.way / found.distance;
  }
  return pseudoNormal(shape, found);
}

@compute @workgroup_size(GROUP)
fn writePatches(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let n = id.x + id.y * groups.x * GROUP;
  if (n >= pairCount()) {
    return;
  }
  let state = spans[params.mostPairs + n];
  if (state == 0u) {
    return;
  }
  let pair = pairs[n];
  let ball = ballOf(pair);
  let place = offsets[params.countsAt + n];
  let isLeftOpen = (state & IS_LEFT_OPEN) != 0u;
  if ((state & CENTRE_INSIDE) != 0u) {
    let field = depthAt(ball.shape, ball.centre);
    let isOpen = isLeftOpen || field.depth <= ball.error;
    let status = select(select(SURE, IS_OPEN, isOpen), IS_DEEP, field.isDeep);
    let feature = patchOf(ball.shape, field.triangle);
    writeContact(place, pair, ball, feature, field.triangle, -abs(field.depth), field.normal, status);
    return;
  }
  let first = spans[n];
  let count = state >> STATE_BITS;
  for (var k = 0u; k < count; k++) {
    let root = triangles[first + k].part;
    let best = triangles[triangles[root].best];
    let triangle = triangleAt(ball.shape, best.rank);
    let outwards = directionFrom(ball.shape, nearestOn(ball.shape, triangle, ball.centre));
    let status = select(SURE, IS_OPEN, isLeftOpen);
    writeContact(place + k, pair, ball, triangles[root].feature, triangle, best.distance, outwards, status);
  }
}
