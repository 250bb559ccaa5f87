// requires common/lane-sum.wgsl
// The order of lane-sum.wgsl by a thread per lane, which share memory.

var<workgroup> lanes: array<f32, GROUP>;

// Writes the sum of the values range.x .. range.y - 1 to place `to` of `sums`, if `isThere`. All threads of a workgroup
// call it, LANES of them for each range.
fn addLanes(range: vec2u, to: u32, isThere: bool, local: u32) {
  let lane = local % LANES;
  for (var component = 0u; component < params.components; component++) {
    lanes[local] = addLane(range.x + lane, range.y, component);
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        lanes[local] += lanes[local + half];
      }
    }
    if (isThere && lane == 0u) {
      sums[to * params.components + component] = lanes[local];
    }
    workgroupBarrier();
  }
}
