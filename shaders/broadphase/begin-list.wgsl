// requires broadphase/header.wgsl
// requires broadphase/sizes.wgsl
// Whether the list has to be made anew: then there is work on all entries and bodies, otherwise on none.

@compute @workgroup_size(1)
fn beginList() {
  if (header[SERVES] == 0u) {
    header[MOVED] = 0u;
  }
  // Numbers that are not below 0 are in the order of their bits, and what is no number comes last.
  let isStale = header[SERVES] == 0u || params.renew != 0u || header[MOVED] > bitcast<u32>(params.allowed);
  header[REBUILT] = select(0u, 1u, isStale);
  header[ENTRIES] = select(0u, params.entries, isStale);
  header[BODIES] = select(0u, params.bodies, isStale);
  header[FRESH] = 0u;
  sizes[FRESH_PAIRS] = sizeFor(0u);
  if (isStale) {
    header[NEEDED] = 0u;
  }
}
