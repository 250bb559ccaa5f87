// requires broadphase/rows.wgsl
// Buckets of rows. Twin: rows.ts.

// The bucket of a row. Rows of a block of 8 x 8 are neighbours in memory as well; blocks are spread by a hash.
fn bucketOf(level: u32, row: u32, layer: u32) -> u32 {
  var block = ((row >> 3u) * 0x9e3779b1u) ^ ((layer >> 3u) * 0x85ebca77u) ^ level;
  block = (block ^ (block >> 16u)) * 0x7feb352du;
  block = (block ^ (block >> 15u)) * 0x846ca68bu;
  block ^= block >> 16u;
  return ((block << 6u) | ((layer & 7u) << 3u) | (row & 7u)) & (params.buckets - 1u);
}

// Where a box lies in its bucket: by the cell of its least x, as far as there are bits for it. Cells that differ in
// higher bits alone lie together.
fn cellOf(level: u32, leastX: u32) -> u32 {
  return (leastX >> (level % LEVELS)) & ((1u << params.cellBits) - 1u);
}
