// requires broadphase/header.wgsl
// requires broadphase/sizes.wgsl
// How many pairs are in the list: none where there is no room for all, since those that found room would depend on
// timing.

@compute @workgroup_size(1)
fn endList() {
  if (header[REBUILT] == 0u) {
    return;
  }
  // From the number on at which nobody counted any more, it says no more than that.
  if (header[NEEDED] >= 0x80000000u) {
    header[NEEDED] = 0xffffffffu;
  }
  let isWhole = header[NEEDED] <= params.capacity;
  header[PAIRS] = select(0u, header[NEEDED], isWhole);
  header[FRESH] = header[PAIRS];
  sizes[FRESH_PAIRS] = sizeFor(header[PAIRS]);
  sizes[ALL_PAIRS] = sizes[FRESH_PAIRS];
  header[SERVES] = select(0u, 1u, isWhole && params.isOfBodies != 0u);
}
