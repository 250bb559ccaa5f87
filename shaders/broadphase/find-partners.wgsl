// requires broadphase/header.wgsl
// requires broadphase/search-rows.wgsl
// Pairs that the box at each place finds, in any order, as far as there is room, and how many there are. They are
// sorted afterwards, so the list does not depend on the order.

// Pairs from which on nobody counts any more: all threads together cannot make the number start again at 0.
const MANY = 0x80000000u;

fn partner(entry: u32, other: u32) {
  if (atomicLoad(&header[NEEDED]) >= MANY) {
    return;
  }
  let at = atomicAdd(&header[NEEDED], 1u);
  if (at < params.capacity) {
    lows[at] = min(entry, other);
    highs[at] = max(entry, other);
  }
}

@compute @workgroup_size(GROUP)
fn findPartners(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let place = id.x + id.y * groups.x * GROUP;
  if (place < atomicLoad(&header[ENTRIES])) {
    searchRows(place);
  }
}
