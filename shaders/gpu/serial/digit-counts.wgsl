// requires common/item-count.wgsl
// Radix sort, first digit: a thread per chunk counts how often each digit comes there. The counts of a digit lie side
// by side: all chunks of digit 0 first.

const DIGITS = 256u;

@compute @workgroup_size(GROUP)
fn digitCounts(@builtin(global_invocation_id) id: vec3u) {
  // Of nothing to sort nobody reads counters: writing them would take as long as sorting some.
  if (id.x >= params.chunks || itemCount() == 0u) {
    return;
  }
  let chunk = chunkOf(id.x, 1u);
  var tally = array<u32, DIGITS>();
  for (var item = chunk.x; item < chunk.y; item++) {
    tally[(keys[item] >> params.shift) % DIGITS]++;
  }
  for (var digit = 0u; digit < DIGITS; digit++) {
    counts[digit * params.chunks + id.x] = tally[digit];
  }
}
