// requires common/item-count.wgsl
// requires common/lane-sum.wgsl
// requires common/segment-of.wgsl
// Sums by segment: the values of each range of a long segment, by a thread each.

@compute @workgroup_size(GROUP)
fn sumRanges(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let range = id.x + id.y * groups.x * GROUP;
  let segments = itemCount();
  if (range >= rangeStarts[segments]) {
    return;
  }
  let found = valuesOf(range, segments);
  for (var component = 0u; component < params.components; component++) {
    sums[range * params.components + component] = sumLanes(found.x, found.y, component);
  }
}
