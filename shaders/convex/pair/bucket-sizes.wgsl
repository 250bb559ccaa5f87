// requires convex/pair/open-list.wgsl
// requires convex/pair/sizes.wgsl
// Finds the first pair of each bucket and the number of its pairs, from `counts` once they are summed up, and the
// number of workgroups.

@compute @workgroup_size(GROUP)
fn bucketSizes(@builtin(global_invocation_id) id: vec3u) {
  let bucket = id.x;
  if (bucket >= params.buckets) {
    return;
  }
  let total = counts[(params.buckets - 1u) * params.blocks];
  let isAll = bucket + 1u == params.buckets;
  let first = min(select(counts[bucket * params.blocks], 0u, isAll), params.capacity);
  let end = min(select(counts[min(bucket + 1u, params.buckets - 1u) * params.blocks], total, isAll), params.capacity);
  pairs[bucket] = vec4u(first, end - first, 0u, 0u);
  sizes[sizeAt(bucket, 0u)] = sizeFor(end - first);
  if (bucket == 0u) {
    atomicAdd(&open[PART_PAIRS], total - places[0]);
  }
}
