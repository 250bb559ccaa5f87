// requires contacts/rows/run-begins.wgsl
// requires contacts/rows/table.wgsl
// Sums up the loads of the pairs of each run of a body's entries, in their order. A thread per entry: those that begin
// a run have something to do.

@compute @workgroup_size(GROUP)
fn sumRuns(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let first = id.x + id.y * groups.x * GROUP;
  let count = 2u * table[ROWS];
  if (first >= count || entries[first] < RUN_BEGINS) {
    return;
  }
  var sum = RunLoads();
  var at = first;
  loop {
    let entry = entries[at] & ~RUN_BEGINS;
    let row = entry >> 1u;
    // Others are there, but touch nothing.
    if (loads[row].contacts > 0u) {
      let isB = (entry & 1u) == 1u;
      let force = loads[row].force;
      sum.force += select(-force, force, isB);
      sum.torque += select(loads[row].torqueA, loads[row].torqueB, isB);
    }
    at++;
    if (at >= count || entries[at] >= RUN_BEGINS) {
      break;
    }
  }
  sum.end = at;
  runs[first] = sum;
}
