// How many items a building block works on, and how they are shared out. The number of chunks does not depend on the
// count; each chunk has whole tiles.

// `NO_COUNT` of item-count.ts: the host knows the count.
const NO_COUNT = 0xffffffffu;

fn quotientAbove(number: u32, divisor: u32) -> u32 {
  return number / divisor + select(0u, 1u, number % divisor != 0u);
}

// The count, not above the room that there is.
fn itemCount() -> u32 {
  if (params.countAt == NO_COUNT) {
    return params.most;
  }
  return min(params.most, counted[params.countAt]);
}

// Items of a chunk, but for the last one.
fn chunkSize(tile: u32) -> u32 {
  return quotientAbove(quotientAbove(itemCount(), tile), params.chunks) * tile;
}

// First item of a chunk, and the one behind its last.
fn chunkOf(chunk: u32, tile: u32) -> vec2u {
  return min(vec2u(itemCount()), vec2u(chunk, chunk + 1u) * chunkSize(tile));
}
