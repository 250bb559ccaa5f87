// requires contacts/place.wgsl
// Frames of one side of a pair.

struct Side {
  // Frames of this side's polyhedron and of its partner about A's body, and of this one in its partner.
  own: Frame,
  partner: Frame,
  inPartner: Frame,
  // Shapes in the atlas.
  shape: u32,
  partnerShape: u32,
  // True if this side is B.
  isB: bool,
}

// Side 2 n is A of pair n, side 2 n + 1 is B.
fn sideOf(n: u32) -> Side {
  let pair = pairs[n >> 1u];
  let isB = (n & 1u) == 1u;
  let a = colliders[pair.x];
  let b = colliders[pair.y];
  let frameA = frameFrom(pair.x, a.body);
  let frameB = frameFrom(pair.y, a.body);
  if (isB) {
    return Side(frameB, frameA, frameIn(frameB, frameA), b.shape, a.shape, true);
  }
  return Side(frameA, frameB, frameIn(frameA, frameB), a.shape, b.shape, false);
}
