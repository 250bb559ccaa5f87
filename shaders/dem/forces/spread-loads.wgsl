// Loads of groups in the order of bodies. A thread per entry: twice the group, and one more for its B.

@compute @workgroup_size(GROUP)
fn spreadLoads(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let k = id.x + id.y * groups.x * GROUP;
  if (k >= tally.entries) {
    return;
  }
  let entry = entries[k];
  let g = entry >> 1u;
  let isB = (entry & 1u) == 1u;
  let force = loads[g].force;
  values[k].force = select(-force, force, isB);
  values[k].torque = select(loads[g].torqueA, loads[g].torqueB, isB);
}
