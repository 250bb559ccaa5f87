// requires broadphase/header.wgsl
// requires broadphase/search-rows.wgsl
// Pairs that the box at each place finds, in any order, as far as there is room, and how many there are. They are
// sorted afterwards, so the list does not depend on the order. A pair is one number of twice `entryBits`: the lower
// entry, then the higher one. Its lowest 32 bits are in `lowWords`, the others in `highWords`.

// Pairs from which on nobody counts any more: all threads together cannot make the number start again at 0.
const MANY = 0x80000000u;

fn partner(entry: u32, other: u32) {
  if (atomicLoad(&header[NEEDED]) >= MANY) {
    return;
  }
  let at = atomicAdd(&header[NEEDED], 1u);
  if (at < params.capacity) {
    let lower = min(entry, other);
    lowWords[at] = (lower << params.entryBits) | max(entry, other);
    highWords[at] = lower >> (32u - params.entryBits);
  }
}

@compute @workgroup_size(GROUP)
fn findPartners(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let place = id.x + id.y * groups.x * GROUP;
  if (place < atomicLoad(&header[ENTRIES])) {
    searchRows(place);
  }
}
