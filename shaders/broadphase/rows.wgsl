// Levels and rows of boxes. Twin: rows.ts. Coordinates are u32 here: those of a box with the sign's bit turned, which
// keeps their order.

const SIGN = 0x80000000u;
const LEVELS = 32u;
// The vec4u, or four words, behind those of levels: bits of levels that have boxes; z is 1 if every second one is left
// out.
const OCCUPIED = 64u;

// The least level whose cells are as large as an extent; cells of the last one are smaller than the largest boxes.
fn levelOf(extent: u32) -> u32 {
  return min(LEVELS - 1u, select(32u - countLeadingZeros(extent - 1u), 0u, extent < 2u));
}

// The bucket of a row. Rows of a block of 8 x 8 are neighbours in memory as well; blocks are spread by a hash.
fn bucketOf(level: u32, row: u32, layer: u32) -> u32 {
  var block = ((row >> 3u) * 0x9e3779b1u) ^ ((layer >> 3u) * 0x85ebca77u) ^ level;
  block = (block ^ (block >> 16u)) * 0x7feb352du;
  block = (block ^ (block >> 15u)) * 0x846ca68bu;
  block ^= block >> 16u;
  return ((block << 6u) | ((layer & 7u) << 3u) | (row & 7u)) & (params.buckets - 1u);
}

// Numbers whose order as unsigned ones is that of the coordinates.
fn inUnsignedOrder(corner: vec3i) -> vec3u {
  return bitcast<vec3u>(corner) ^ vec3u(SIGN);
}
