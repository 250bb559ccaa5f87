// requires convex/pair/open-list.wgsl
// requires convex/pair/sizes.wgsl
// Takes over the number of pairs, and starts all that is counted at 0. Until pairs are sorted every bucket has all of
// them.

@compute @workgroup_size(GROUP)
fn beginPairs(@builtin(global_invocation_id) id: vec3u) {
  let bucket = id.x;
  if (bucket >= params.buckets) {
    return;
  }
  let found = select(params.count, given[params.givenAt], params.isGiven != 0u);
  let count = min(found, params.most);
  pairs[bucket] = vec4u(0u, count, 0u, 0u);
  atomicStore(&work[2u * bucket], 0u);
  atomicStore(&work[2u * bucket + 1u], 0u);
  sizes[sizeAt(bucket, 0u)] = sizeFor(count);
  if (bucket == 0u) {
    places[0] = count;
    sizes[0] = sizeFor(count);
    // A later part of a query adds to the list.
    if (params.isFirst != 0u) {
      atomicStore(&open[NEEDED], 0u);
      atomicStore(&open[ROOM], params.most);
      atomicStore(&open[LISTED], 0u);
      atomicStore(&open[PART_PAIRS], 0u);
    }
    atomicAdd(&open[NEEDED], found);
    atomicAdd(&open[PART_PAIRS], count);
  }
}
