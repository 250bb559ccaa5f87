// requires broadphase/header.wgsl
// requires broadphase/buckets.wgsl
// requires broadphase/levels.wgsl
// What entries are sorted by: the buckets of their rows, on levels that are used, then their cells.

@compute @workgroup_size(GROUP)
fn bucketKeys(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let entry = id.x + id.y * groups.x * GROUP;
  if (entry >= header[ENTRIES]) {
    return;
  }
  let level = usedLevel(entryLevels[entry]);
  entryLevels[entry] = level;
  let least = inUnsignedOrder(boxes[entry].least);
  let scale = level % LEVELS;
  let bucket = bucketOf(level, least.y >> scale, least.z >> scale);
  keys[entry] = (bucket << params.cellBits) | cellOf(level, least.x);
  order[entry] = entry;
}
