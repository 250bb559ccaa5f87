// requires common/item-count.wgsl
// requires common/group-scan.wgsl
// requires common/sum-of-chunks.wgsl
// requires common/flag-at.wgsl
// Compaction, last: the numbers of the items whose flags are set, in their order, behind how many there are.

const PER_THREAD = 16u;
const TILE = PER_THREAD * WIDE;

@compute @workgroup_size(WIDE)
fn listFlags(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let place = placeInGroup(local);
  let chunk = chunkOf(group.x, TILE);
  var before = sumOfChunks(place, local, group.x);
  for (var tile = chunk.x; tile < chunk.y; tile += TILE) {
    let first = tile + PER_THREAD * place;
    // A bit per item.
    var isSet = 0u;
    for (var i = 0u; i < PER_THREAD; i++) {
      if (first + i < chunk.y) {
        isSet |= select(0u, 1u << i, flagAt(first + i));
      }
    }
    let scan = scanGroup(place, countOneBits(isSet));
    var rank = before + scan.before;
    for (var i = 0u; i < PER_THREAD; i++) {
      if ((isSet & (1u << i)) != 0u) {
        if (rank < params.room) {
          list[1u + rank] = first + i;
        }
        rank++;
      }
    }
    before += scan.all;
  }
  if (local == 0u && group.x + 1u == params.chunks) {
    list[0] = before;
  }
}
