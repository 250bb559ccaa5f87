// requires broadphase/header.wgsl
// requires common/groups-for.wgsl
// requires contacts/rows/table.wgsl
// Counts the rows of each class of pairs, and sets the sizes of dispatches that make them, if the list of pairs was
// made anew. If the list serves on, rows do so, too.

fn sizeOf(threads: u32, count: u32) -> vec4u {
  return vec4u(groupsFor(threads, params.mostGroups, params.allGroups), 1u, count);
}

@compute @workgroup_size(1)
fn rowTable() {
  if (header[REBUILT] == 0u) {
    sizes[0] = vec4u(0u, 1u, 1u, 0u);
    sizes[1] = vec4u(0u, 1u, 1u, 0u);
    table[FRESH_ENTRIES] = 0u;
    return;
  }
  table[POLYHEDRA] = select(0u, polyhedra[0], (params.classes & 1u) != 0u);
  table[PATCHES] = select(0u, patches[0], (params.classes & 2u) != 0u);
  table[CONVEX] = select(0u, convex[0], (params.classes & 4u) != 0u);
  table[PLANES] = params.planes;
  let rows = table[POLYHEDRA] + table[PATCHES] + table[CONVEX] + table[PLANES];
  table[ROWS] = rows;
  table[LIST] += 1u;
  table[FRESH_ENTRIES] = 2u * rows;
  sizes[0] = sizeOf(rows, rows);
  sizes[1] = sizeOf(max(2u * rows, params.bodies + 1u), 2u * rows);
}
