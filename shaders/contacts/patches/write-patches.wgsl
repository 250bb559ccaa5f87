// requires contacts/patches/ball.wgsl
// requires contacts/patches/feature.wgsl
// requires contacts/field/triangle-tree.wgsl
// Contacts of balls with polyhedra as records of the list. Twin: src/contacts/patches/patch-contacts.ts. A thread per
// pair.

const PATCH_KIND = 2u;
const FEATURE_OF_B = 0x80000000u;
const SURE = 0u;
const IS_OPEN = 2u;
const IS_DEEP = 3u;

struct PatchAround {
  number: u32,
  isOpen: bool,
}

// `outwards` is the unit normal of the polyhedron, in its frame, and `far` the centre's signed distance from it.
// Leaves out contacts that `records` has no room for.
fn writeContact(
  to: u32,
  pair: vec2u,
  ball: Ball,
  feature: u32,
  triangle: u32,
  far: f32,
  outwards: vec3f,
  status: u32,
) {
  if (to >= arrayLength(&records)) {
    return;
  }
  let a = colliders[pair.x];
  let b = colliders[pair.y];
  let normal = ball.mesh.rotation * outwards;
  records[to] = ContactRecord(
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

// Finds the patch of a triangle's nearest point: the lowest patch that meets there. Tells whether it is open.
fn patchAround(ball: Ball, triangle: u32) -> PatchAround {
  let place = ball.centre + nearestOn(ball.shape, triangle, ball.centre).way;
  let rounding = 2.0 * ball.error;
  let nearest = clearFeature(ball.shape, triangle, ball.centre, rounding);
  let own = patchOf(ball.shape, triangle);
  var found = PatchAround(own, false);
  var leaf = leafFrom(ball.shape, 0u, place, 2.0 * rounding);
  while (leaf != NO_BOX) {
    let ranks = ranksOf(ball.shape, leaf);
    for (var rank = ranks.x; rank < ranks.y; rank++) {
      let other = triangleAt(ball.shape, rank);
      let number = patchOf(ball.shape, other);
      if (number != own && nearestOn(ball.shape, other, place).distance <= rounding) {
        found.isOpen = found.isOpen || !hasFeature(ball.shape, other, nearest);
        found.number = min(found.number, number);
      }
    }
    leaf = leafFrom(ball.shape, leaf + 1u, place, 2.0 * rounding);
  }
  return found;
}

// The unit direction from the nearest point of a triangle to a centre outside.
fn directionFrom(shape: u32, found: Nearest) -> vec3f {
  // The pseudo-normal of a face is the direction itself.
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
  let to = offsets[params.countsAt + n];
  let isLeftOpen = (state & IS_LEFT_OPEN) != 0u;
  if ((state & CENTRE_INSIDE) != 0u) {
    let field = depthAt(ball.shape, ball.centre);
    let around = patchAround(ball, field.triangle);
    let isOpen = isLeftOpen || field.depth <= ball.error || around.isOpen;
    let status = select(select(SURE, IS_OPEN, isOpen), IS_DEEP, field.isDeep);
    writeContact(to, pair, ball, around.number, field.triangle, -abs(field.depth), field.normal, status);
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
    writeContact(to + k, pair, ball, triangles[root].feature, triangle, best.distance, outwards, status);
  }
}
