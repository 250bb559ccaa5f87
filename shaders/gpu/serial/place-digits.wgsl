// requires common/item-count.wgsl
// Radix sort: keys and values go behind those of lower digits, and of the same digit before them. The next digit is
// counted on the way, in the chunks that keys come to.

const DIGITS = 256u;

@compute @workgroup_size(GROUP)
fn placeDigits(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.chunks || itemCount() == 0u) {
    return;
  }
  let chunk = chunkOf(id.x, 1u);
  let size = chunkSize(1u);
  var next = array<u32, DIGITS>();
  for (var digit = 0u; digit < DIGITS; digit++) {
    next[digit] = counts[digit * params.chunks + id.x];
  }
  for (var item = chunk.x; item < chunk.y; item++) {
    let key = keys[item];
    let digit = (key >> params.shift) % DIGITS;
    let to = next[digit];
    next[digit] = to + 1u;
    sortedKeys[to] = key;
    sortedValues[to] = values[item];
    if (params.hasNext != 0u) {
      atomicAdd(&nextCounts[((key >> params.nextShift) % DIGITS) * params.chunks + to / size], 1u);
    }
  }
}
