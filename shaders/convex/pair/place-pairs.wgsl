// requires convex/pair/part-pairs.wgsl
// Puts pairs of convex bodies into their slots, bucket by bucket, in their order. This is the last part of a stable
// counting sort, after `counts` was summed up. Results have places of their own, one after another in the order of the
// pairs. Twin: test/support/pair-sorting-twin.ts.

// 0 where all bodies are convex and of one kind: pairs then stay where they are.
override SORTED: u32 = 1u;
// 0 where all bodies are convex.
override CONCAVE: u32 = 1u;
override BLOCK: u32 = 64u;
// Quads per result, and that of the normal to start from.
override RESULT_SIZE: u32 = 3u;
override START_AT: u32 = 1u;
const NO_PLACE = 0xffffffffu;

// Writes a pair of convex bodies and the normal that its search starts from; false if there is no room.
fn placeOne(slot: u32, place: u32, i: u32, a: u32, b: u32) -> bool {
  let fits = max(slot, place) < params.capacity;
  if (slot < params.capacity) {
    pairs[params.buckets + slot] = select(vec4u(params.nobody, params.nobody, place, 0u), vec4u(a, b, place, 0u), fits);
  }
  if (fits && params.hasNormals != 0u) {
    let n = 3u * (params.first + i);
    results[RESULT_SIZE * place + START_AT] = vec4u(normals[n], normals[n + 1u], normals[n + 2u], 0u);
  }
  return fits;
}

// The same for the next pair of a bucket in a block.
fn placeNext(block: u32, place: u32, i: u32, a: u32, b: u32) -> bool {
  let next = bucketOf(a, b) * params.blocks + block;
  let slot = counts[next];
  counts[next] = slot + 1u;
  return placeOne(slot, place, i, a, b);
}

@compute @workgroup_size(GROUP)
fn placePairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let block = id.x + id.y * groups.x * GROUP;
  if (SORTED == 0u) {
    if (block < places[0]) {
      let found = partPairs(block);
      let isUsable = found.a.y > 0u;
      let a = select(params.nobody, found.a.x, isUsable);
      let b = select(params.nobody, found.b.x, isUsable);
      places[1u + block] = select(NO_PLACE, block, placeOne(block, block, block, a, b) && isUsable);
    }
    return;
  }
  if (block >= params.blocks) {
    return;
  }
  let all = (params.buckets - 1u) * params.blocks;
  var place = counts[all + block] - counts[all];
  let end = min(BLOCK * (block + 1u), places[0]);
  for (var i = BLOCK * block; i < end; i++) {
    let found = partPairs(i);
    let first = place;
    var fits = found.a.y > 0u;
    if (CONCAVE == 0u) {
      if (fits) {
        fits = placeNext(block, place, i, found.a.x, found.b.x);
        place++;
      }
    } else {
      var parts = vec2u(found.a.x, found.b.x);
      let next = place + found.a.y * found.b.y;
      while (place < next) {
        fits &= placeNext(block, place, i, parts.x, parts.y);
        parts = nextPartPair(parts, found.b);
        place++;
      }
    }
    places[1u + i] = select(NO_PLACE, first, fits);
  }
}
