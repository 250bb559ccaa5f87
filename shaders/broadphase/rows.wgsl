// Levels of boxes. Twin: rows.ts. Coordinates are u32 here: those of a box with the sign's bit turned, which
// keeps their order.

const SIGN = 0x80000000u;
const LEVELS = 32u;
// The vec4u, or four words, behind those of levels: bits of levels that have boxes.
const OCCUPIED = 64u;

// The least level whose cells are as large as an extent; cells of the last one are smaller than the largest boxes.
fn levelOf(extent: u32) -> u32 {
  return min(LEVELS - 1u, select(32u - countLeadingZeros(extent - 1u), 0u, extent < 2u));
}

// Numbers whose order as unsigned ones is that of the coordinates.
fn inUnsignedOrder(corner: vec3i) -> vec3u {
  return bitcast<vec3u>(corner) ^ vec3u(SIGN);
}
