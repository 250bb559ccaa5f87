// requires convex/pair/result.wgsl
// The pairs that a kernel runs over. `pairs` begins with a vec4u per bucket, its first slot and its number of pairs,
// and goes on with a vec4u per slot: convex bodies A and B, and the place of the pair's results. Pairs of a bucket have
// records of the same kinds, but for the last bucket, which has all pairs. Needs `params.bucket` and `params.buckets`.
// Host: src/convex/gpu/pair-layout.ts.

// The bucket's first slot.
fn firstSlot() -> u32 {
  return pairs[params.bucket].x;
}

fn isInBucket(item: u32) -> bool {
  return item < pairs[params.bucket].y;
}

struct PairSlot {
  bodyA: u32,
  bodyB: u32,
  place: u32,
}

fn pairAt(slot: u32) -> PairSlot {
  let words = pairs[params.buckets + slot];
  return PairSlot(words.x, words.y, words.z);
}
