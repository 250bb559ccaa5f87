// requires broadphase/header.wgsl
// How many pairs there are, and for how many there is room.

@compute @workgroup_size(1)
fn endList() {
  if (header[REBUILT] == 0u) {
    return;
  }
  // The total is one modulo 2^32. Boxes leave out less than 256 partners each of the crowd, so it is surely the number
  // of pairs as long as the crowd is that far below 2^32.
  let isCounted = header[CROWD] < (1u << 24u) - min(header[ENTRIES], 1u << 24u);
  let needed = select(0xffffffffu, total[params.totalAt], isCounted);
  header[NEEDED] = needed;
  header[PAIRS] = min(needed, params.capacity);
  header[FRESH] = header[PAIRS];
  header[WHOLE] = select(0u, 1u, needed <= params.capacity);
}
