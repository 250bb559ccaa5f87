// requires common/item-count.wgsl
// requires common/lane-sum.wgsl
// Sums by segment: each segment's values, by a thread each.

@compute @workgroup_size(GROUP)
fn sumSegments(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let segment = id.x + id.y * groups.x * GROUP;
  if (segment >= itemCount()) {
    return;
  }
  let first = starts[segment];
  let end = starts[segment + 1u];
  for (var component = 0u; component < params.components; component++) {
    sums[segment * params.components + component] = sumLanes(first, end, component);
  }
}
