// requires broadphase/header.wgsl
// requires broadphase/rows.wgsl
// What entries are sorted by then, in the order of their least x: the buckets of their rows, on levels that are used.

@compute @workgroup_size(GROUP)
fn bucketKeys(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let place = id.x + id.y * groups.x * GROUP;
  if (place >= header[ENTRIES]) {
    return;
  }
  let entry = order[place];
  var level = entryLevels[entry];
  if (levels[OCCUPIED].z != 0u && level % LEVELS != LEVELS - 1u) {
    level += level & 1u;
  }
  entryLevels[entry] = level;
  let least = inUnsignedOrder(boxes[entry].least);
  let scale = level % LEVELS;
  keys[place] = bucketOf(level, least.y >> scale, least.z >> scale);
}
