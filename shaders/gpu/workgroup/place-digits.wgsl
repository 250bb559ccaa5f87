// requires common/item-count.wgsl
// requires common/group-scan.wgsl
// Radix sort: keys and values go behind those of lower digits, and of the same digit before them. The next digit is
// counted on the way, in the chunks that keys come to.

const PER_THREAD = 16u;
const TILE = PER_THREAD * WIDE;
const DIGITS = 16u;

// Where the next key of each digit goes.
var<workgroup> next: array<u32, DIGITS>;

fn digitOf(key: u32) -> u32 {
  return (key >> params.shift) % DIGITS;
}

// A tile has less than 2^16 keys, so two counters share a word: digit 2 i in the lower half of word i.
fn counterOf(counters: array<vec4u, 2>, digit: u32) -> u32 {
  return (counters[digit / 8u][digit / 2u % 4u] >> (16u * (digit % 2u))) & 0xffffu;
}

fn countDigit(counters: ptr<function, array<vec4u, 2>>, digit: u32) {
  (*counters)[digit / 8u][digit / 2u % 4u] += 1u << (16u * (digit % 2u));
}

@compute @workgroup_size(WIDE)
fn placeDigits(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let place = placeInGroup(local);
  let chunk = chunkOf(group.x, TILE);
  let size = chunkSize(TILE);
  if (local < DIGITS) {
    next[local] = counts[local * params.chunks + group.x];
  }
  for (var tile = chunk.x; tile < chunk.y; tile += TILE) {
    let first = tile + PER_THREAD * place;
    let end = min(chunk.y, first + PER_THREAD);
    var tally = array<vec4u, 2>();
    for (var item = first; item < end; item++) {
      countDigit(&tally, digitOf(keys[item]));
    }
    let scan = scanGroup8(place, tally);
    var before = scan.before;
    for (var item = first; item < end; item++) {
      let key = keys[item];
      let digit = digitOf(key);
      let to = next[digit] + counterOf(before, digit);
      countDigit(&before, digit);
      sortedKeys[to] = key;
      sortedValues[to] = values[item];
      if (params.hasNext != 0u) {
        atomicAdd(&nextCounts[((key >> params.nextShift) % DIGITS) * params.chunks + to / size], 1u);
      }
    }
    workgroupBarrier();
    if (local < DIGITS) {
      next[local] += counterOf(scan.all, local);
    }
  }
}
