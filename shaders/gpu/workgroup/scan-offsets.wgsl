// requires common/item-count.wgsl
// requires common/group-scan.wgsl
// requires common/sum-of-chunks.wgsl
// Scan, downwards: every number becomes the sum of those before it. Sums of the chunks before are few, so each
// workgroup adds them up itself. The sum of all goes behind them.

const PER_THREAD = 16u;
const TILE = PER_THREAD * WIDE;

@compute @workgroup_size(WIDE)
fn scanOffsets(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let place = placeInGroup(local);
  let chunk = chunkOf(group.x, TILE);
  var before = sumOfChunks(place, local, group.x);
  for (var tile = chunk.x; tile < chunk.y; tile += TILE) {
    let first = tile + PER_THREAD * place;
    var own = array<u32, PER_THREAD>();
    var sum = 0u;
    for (var i = 0u; i < PER_THREAD; i++) {
      if (first + i < chunk.y) {
        own[i] = numbers[first + i];
        sum += own[i];
      }
    }
    let scan = scanGroup(place, sum);
    var offset = before + scan.before;
    for (var i = 0u; i < PER_THREAD; i++) {
      if (first + i < chunk.y) {
        numbers[first + i] = offset;
        offset += own[i];
      }
    }
    before += scan.all;
  }
  if (local == 0u && group.x + 1u == params.chunks) {
    sums[params.chunks] = before;
  }
}
