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
      atomicStore(&open[0], 0u);
      atomicStore(&open[1], 0u);
      atomicStore(&open[2], 0u);
      atomicStore(&open[3], 0u);
    }
    atomicAdd(&open[1], found);
    atomicAdd(&open[2], count);
    atomicAdd(&open[3], count);
  }
}
