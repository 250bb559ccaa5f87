// requires contacts/nodes/item-frames.wgsl
// Records of contacts of nodes and edges.

const FEATURE_OF_B = 0x80000000u;
const SURE = 0u;
const BOUNDED = 1u;
const IS_DEEP = 3u;

struct Found {
  feature: u32,
  // In the frame of the side whose feature it is.
  point: vec3f,
  // Outward normal of the partner, in the partner's frame.
  normal: vec3f,
  depth: f32,
  area: f32,
  triangle: u32,
  kind: u32,
  status: u32,
}

// Leaves out contacts that `records` has no room for.
fn writeRecord(place: u32, pair: vec2u, side: Side, found: Found) {
  if (place >= arrayLength(&records)) {
    return;
  }
  let a = colliders[pair.x];
  let b = colliders[pair.y];
  let outwards = side.partner.rotation * found.normal;
  records[place] = ContactRecord(
    a.body,
    b.body,
    a.part | (b.part << 16u),
    found.feature | select(0u, FEATURE_OF_B, side.isB),
    // A feature of A leaves B against the normal from A to B.
    select(-outwards, outwards, side.isB),
    -found.depth,
    side.own.rotation * found.point + side.own.origin,
    found.area,
    found.triangle,
    found.kind | (found.status << 8u),
    vec2u(0u),
  );
}
