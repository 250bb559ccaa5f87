// requires convex/pair/part-pairs.wgsl
// Counts the pairs of convex bodies of each bucket that a block of pairs comes to. `counts` has a row per bucket, and
// behind them one for all, with a number per block. A block's numbers belong to one thread, which needs no atomics for
// them. Twin: test/support/pair-sorting-twin.ts.

// 0 where all bodies are convex.
override CONCAVE: u32 = 1u;
override BLOCK: u32 = 64u;

@compute @workgroup_size(GROUP)
fn countPairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let block = id.x + id.y * groups.x * GROUP;
  if (block >= params.blocks) {
    return;
  }
  let all = (params.buckets - 1u) * params.blocks + block;
  for (var row = 0u; row < params.buckets; row++) {
    counts[row * params.blocks + block] = 0u;
  }
  let end = min(BLOCK * (block + 1u), places[0]);
  for (var i = BLOCK * block; i < end; i++) {
    let found = partPairs(i);
    if (CONCAVE == 0u) {
      if (found.a.y > 0u) {
        counts[bucketOf(found.a.x, found.b.x) * params.blocks + block]++;
        counts[all]++;
      }
    } else {
      let count = found.a.y * found.b.y;
      var parts = vec2u(found.a.x, found.b.x);
      for (var k = 0u; k < count; k++) {
        counts[bucketOf(parts.x, parts.y) * params.blocks + block]++;
        parts = nextPartPair(parts, found.b);
      }
      counts[all] += count;
    }
  }
}
