// requires common/item-count.wgsl
// requires common/group-scan.wgsl
// requires common/flag-at.wgsl
// Compaction, first: how many flags of every chunk are set, by a workgroup each.

const TILE = 16u * WIDE;

@compute @workgroup_size(WIDE)
fn countFlags(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let place = placeInGroup(local);
  let chunk = chunkOf(group.x, TILE);
  var count = 0u;
  for (var item = chunk.x + local; item < chunk.y; item += WIDE) {
    count += select(0u, 1u, flagAt(item));
  }
  let scan = scanGroup(place, count);
  if (local == 0u) {
    sums[group.x] = scan.all;
  }
}
