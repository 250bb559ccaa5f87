// requires common/item-count.wgsl
// Scan, downwards: every number becomes the sum of those before it. Sums of the chunks before are few, so each thread
// adds them up itself. The sum of all goes behind them.

@compute @workgroup_size(GROUP)
fn scanOffsets(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.chunks) {
    return;
  }
  var sum = 0u;
  for (var before = 0u; before < id.x; before++) {
    sum += sums[before];
  }
  let chunk = chunkOf(id.x, 1u);
  for (var at = chunk.x; at < chunk.y; at++) {
    let own = numbers[at];
    numbers[at] = sum;
    sum += own;
  }
  if (id.x + 1u == params.chunks) {
    sums[params.chunks] = sum;
  }
}
