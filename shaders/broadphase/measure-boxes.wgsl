// requires broadphase/header.wgsl
// requires broadphase/measure.wgsl
// Levels of boxes that a caller has given.

@compute @workgroup_size(GROUP)
fn measureBoxes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let entry = id.x + id.y * groups.x * GROUP;
  if (entry < header[ENTRIES]) {
    measure(entry, boxes[entry].least, boxes[entry].greatest);
  }
}
