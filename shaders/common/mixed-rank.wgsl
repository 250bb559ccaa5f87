// Numbers of mixed cells among all mixed cells, from words of 16 cells and the mixed cells before them.

fn isMixed(word: vec2u, cell: u32) -> bool {
  return ((word.x >> ((cell & 15u) << 1u)) & 2u) != 0u;
}

fn mixedRank(word: vec2u, cell: u32) -> u32 {
  let below = (1u << ((cell & 15u) << 1u)) - 1u;
  return word.y + countOneBits(word.x & below & 0xaaaaaaaau);
}
