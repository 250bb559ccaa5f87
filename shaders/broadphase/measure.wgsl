// requires broadphase/rows.wgsl
// The level of a box, and the greatest extents of each level. Bindings: `filters`, `entryLevels` and `levels`, whose
// words are 0 at first.

fn raise(word: u32, value: u32) {
  // A look first: nearly none is the largest.
  if (value > atomicLoad(&levels[word])) {
    atomicMax(&levels[word], value);
  }
}

fn measure(entry: u32, least: vec3i, greatest: vec3i) {
  // A box that holds nothing is on no level.
  if (least.x > greatest.x) {
    entryLevels[entry] = 0u;
    return;
  }
  let extents = inUnsignedOrder(greatest) - inUnsignedOrder(least);
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
