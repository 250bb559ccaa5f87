// requires common/item-count.wgsl
// Radix sort, first digit: a workgroup per chunk counts how often each digit comes there. The counts of a digit lie
// side by side: all chunks of digit 0 first.

const WIDE = 256u;
const TILE = 16u * WIDE;
const DIGITS = 16u;
// Counters per digit, so that threads side by side do not wait for each other.
const COPIES = 32u;

var<workgroup> tally: array<atomic<u32>, DIGITS * COPIES>;

@compute @workgroup_size(WIDE)
fn digitCounts(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let chunk = chunkOf(group.x, TILE);
  for (var item = chunk.x + local; item < chunk.y; item += WIDE) {
    let digit = (keys[item] >> params.shift) % DIGITS;
    atomicAdd(&tally[digit * COPIES + local % COPIES], 1u);
  }
  workgroupBarrier();
  if (local < DIGITS) {
    var count = 0u;
    for (var copy = 0u; copy < COPIES; copy++) {
      count += atomicLoad(&tally[local * COPIES + copy]);
    }
    counts[local * params.chunks + group.x] = count;
  }
}
