// requires common/item-count.wgsl
// requires common/segment-of.wgsl
// Sums by segment: into how many ranges each segment is cut. Zeros fill the room behind the last segment.

@compute @workgroup_size(GROUP)
fn countRanges(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let segment = id.x + id.y * groups.x * GROUP;
  if (segment > params.room) {
    return;
  }
  var ranges = 0u;
  if (segment < itemCount()) {
    ranges = quotientAbove(starts[segment + 1u] - starts[segment], RANGE);
  }
  rangeStarts[segment] = ranges;
}
