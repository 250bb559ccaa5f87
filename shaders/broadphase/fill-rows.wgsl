// requires broadphase/header.wgsl
// requires broadphase/rows.wgsl
// Boxes by place, and the places of each bucket: its first one, and the one behind its last. Buckets were cleared.

@compute @workgroup_size(GROUP)
fn fillRows(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let place = id.x + id.y * groups.x * GROUP;
  let count = header[ENTRIES];
  if (place >= count) {
    return;
  }
  let entry = order[place];
  rowBoxes[place] = RowBox(
    inUnsignedOrder(boxes[entry].least),
    entryLevels[entry],
    inUnsignedOrder(boxes[entry].greatest),
    entry,
  );
  let bucket = keys[place] >> params.cellBits;
  if (place == 0u || keys[place - 1u] >> params.cellBits != bucket) {
    buckets[bucket].x = place;
  }
  if (place + 1u == count || keys[place + 1u] >> params.cellBits != bucket) {
    buckets[bucket].y = place + 1u;
  }
}
