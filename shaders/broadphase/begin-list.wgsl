// requires broadphase/header.wgsl
// Whether the list has to be made anew: then there is work on all entries and bodies, otherwise on none.

@compute @workgroup_size(1)
fn beginList() {
  if (header[WHOLE] == 0u) {
    header[MOVED] = 0u;
  }
  let isStale = header[WHOLE] == 0u || params.renew != 0u || bitcast<f32>(header[MOVED]) > params.allowed;
  header[REBUILT] = select(0u, 1u, isStale);
  header[ENTRIES] = select(0u, params.entries, isStale);
  header[BODIES] = select(0u, params.bodies, isStale);
  header[FRESH] = 0u;
  header[CROWD] = 0u;
}
