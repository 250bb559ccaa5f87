// requires common/item-count.wgsl
// Scan, upwards: the sum of every chunk of numbers, by a thread each.

@compute @workgroup_size(GROUP)
fn scanSums(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.chunks) {
    return;
  }
  let chunk = chunkOf(id.x, 1u);
  var sum = 0u;
  for (var at = chunk.x; at < chunk.y; at++) {
    sum += numbers[at];
  }
  sums[id.x] = sum;
}
