// requires dem/impulses/colour-states.wgsl
// Colours of pairs as keys of a sort, by which pairs come in the order that they are solved in. Those without contacts
// come last. A thread per row.

@compute @workgroup_size(GROUP)
fn listColours(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groupCount: vec3u) {
  let row = id.x + id.y * groupCount.x * GROUP;
  if (row >= params.rowRoom) {
    return;
  }
  let taken = colours[row].state;
  keys[row] = select(min(taken & 0xffu, params.colours), params.colours + 1u, taken == NOTHING);
  order[row] = row;
}
