// requires broadphase/header.wgsl
// requires broadphase/rows.wgsl
// The level of each box, the extents of each level, and what entries are sorted by first: the least x.

fn raise(word: u32, value: u32) {
  // A look first: nearly none is the largest.
  if (value > atomicLoad(&levels[word])) {
    atomicMax(&levels[word], value);
  }
}

@compute @workgroup_size(GROUP)
fn measureBoxes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let entry = id.x + id.y * groups.x * GROUP;
  if (entry >= header[ENTRIES]) {
    return;
  }
  let least = inUnsignedOrder(boxes[entry].least);
  keys[entry] = least.x;
  order[entry] = entry;
  // A box that holds nothing is on no level.
  if (boxes[entry].least.x > boxes[entry].greatest.x) {
    entryLevels[entry] = 0u;
    return;
  }
  let extents = inUnsignedOrder(boxes[entry].greatest) - least;
  let scale = levelOf(max(max(extents.x, extents.y), extents.z));
  let isStatic = filters[entry].flags & 1u;
  let level = scale + LEVELS * isStatic;
  entryLevels[entry] = level;
  raise(4u * level, extents.x);
  raise(4u * level + 1u, extents.y);
  raise(4u * level + 2u, extents.z);
  let occupied = 4u * OCCUPIED + isStatic;
  if (((atomicLoad(&levels[occupied]) >> scale) & 1u) == 0u) {
    atomicOr(&levels[occupied], 1u << scale);
  }
}
