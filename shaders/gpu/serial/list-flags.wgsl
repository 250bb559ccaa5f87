// requires common/item-count.wgsl
// requires common/flag-at.wgsl
// Compaction, last: the numbers of the items whose flags are set, in their order, behind how many there are.

@compute @workgroup_size(GROUP)
fn listFlags(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.chunks) {
    return;
  }
  if (id.x == 0u) {
    list[0] = sums[params.chunks];
  }
  let chunk = chunkOf(id.x, 1u);
  var rank = sums[id.x];
  for (var item = chunk.x; item < chunk.y; item++) {
    if (flagAt(item)) {
      if (rank < params.room) {
        list[1u + rank] = item;
      }
      rank++;
    }
  }
}
