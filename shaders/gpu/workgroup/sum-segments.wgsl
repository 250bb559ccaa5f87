// requires common/item-count.wgsl
// requires common/add-lanes.wgsl
// Sums by segment: each segment's values, by a thread per lane.

@compute @workgroup_size(GROUP)
fn sumSegments(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let segment = (group.x + group.y * groups.x) * (GROUP / LANES) + local / LANES;
  let isThere = segment < itemCount();
  var found = vec2u(0u);
  if (isThere) {
    found = vec2u(starts[segment], starts[segment + 1u]);
  }
  addLanes(found, segment, isThere, local);
}
