// requires common/item-count.wgsl
// requires common/group-scan.wgsl
// Scan, upwards: the sum of every chunk of numbers, by a workgroup each.

const TILE = 16u * WIDE;

@compute @workgroup_size(WIDE)
fn scanSums(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let place = placeInGroup(local);
  let chunk = chunkOf(group.x, TILE);
  var sum = 0u;
  for (var at = chunk.x + local; at < chunk.y; at += WIDE) {
    sum += numbers[at];
  }
  let scan = scanGroup(place, sum);
  if (local == 0u) {
    sums[group.x] = scan.all;
  }
}
