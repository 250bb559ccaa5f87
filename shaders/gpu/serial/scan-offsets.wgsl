// requires common/item-count.wgsl
// Scan, downwards: every number becomes the sum of those before it, given the sum before its chunk.

@compute @workgroup_size(GROUP)
fn scanOffsets(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.chunks) {
    return;
  }
  let chunk = chunkOf(id.x, 1u);
  var sum = sums[id.x];
  for (var at = chunk.x; at < chunk.y; at++) {
    let own = numbers[at];
    numbers[at] = sum;
    sum += own;
  }
}
