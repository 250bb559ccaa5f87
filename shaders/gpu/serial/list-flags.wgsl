// requires common/item-count.wgsl
// requires common/flag-at.wgsl
// Compaction, last: the numbers of the items whose flags are set, in their order, behind how many there are.

@compute @workgroup_size(GROUP)
fn listFlags(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.chunks) {
    return;
  }
  let chunk = chunkOf(id.x, 1u);
  var rank = 0u;
  for (var before = 0u; before < id.x; before++) {
    rank += sums[before];
  }
  for (var item = chunk.x; item < chunk.y; item++) {
    if (flagAt(item)) {
      if (rank < params.room) {
        list[1u + rank] = item;
      }
      rank++;
    }
  }
  if (id.x + 1u == params.chunks) {
    list[0] = rank;
  }
}
