// requires common/item-count.wgsl
// requires common/lane-sum.wgsl
// Sums by segment: each segment's values, by a thread per lane.

var<workgroup> lanes: array<f32, GROUP>;

@compute @workgroup_size(GROUP)
fn sumSegments(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let segment = (group.x + group.y * groups.x) * (GROUP / LANES) + local / LANES;
  let lane = local % LANES;
  let isThere = segment < itemCount();
  var found = vec2u(0u);
  if (isThere) {
    found = vec2u(starts[segment], starts[segment + 1u]);
  }
  for (var component = 0u; component < params.components; component++) {
    lanes[local] = addLane(found.x + lane, found.y, component);
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        lanes[local] += lanes[local + half];
      }
    }
    if (isThere && lane == 0u) {
      sums[segment * params.components + component] = lanes[local];
    }
    workgroupBarrier();
  }
}
