// requires common/item-count.wgsl
// requires common/flag-at.wgsl
// Compaction, first: how many flags of every chunk are set, by a thread each.

@compute @workgroup_size(GROUP)
fn countFlags(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.chunks) {
    return;
  }
  let chunk = chunkOf(id.x, 1u);
  var count = 0u;
  for (var item = chunk.x; item < chunk.y; item++) {
    count += select(0u, 1u, flagAt(item));
  }
  sums[id.x] = count;
}
