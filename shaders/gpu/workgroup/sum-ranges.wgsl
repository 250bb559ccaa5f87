// requires common/item-count.wgsl
// requires common/add-lanes.wgsl
// requires common/segment-of.wgsl
// Sums by segment: the values of each range of a long segment, by a thread per lane.

@compute @workgroup_size(GROUP)
fn sumRanges(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let range = (group.x + group.y * groups.x) * (GROUP / LANES) + local / LANES;
  let segments = itemCount();
  let isThere = range < rangeStarts[segments];
  var found = vec2u(0u);
  if (isThere) {
    found = valuesOf(range, segments);
  }
  addLanes(found, range, isThere, local);
}
