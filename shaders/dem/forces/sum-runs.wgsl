// requires contacts/rows/run-begins.wgsl
// requires contacts/rows/table.wgsl
// Sums up the loads of the pairs of each run of a body's entries, in their order. A thread per entry: those that begin
// a run have something to do.
//
// A run's sum stands where its first pair that touches has its place, one of two for both its sides. `runOf` of the
// run's first entry has 1 more than that, or 0, and of its second one the entry behind the run.

const NOWHERE = 0u;

@compute @workgroup_size(GROUP)
fn sumRuns(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let first = id.x + id.y * groups.x * GROUP;
  let count = 2u * table[ROWS];
  if (first >= count || entries[first] < RUN_BEGINS) {
    return;
  }
  var sum = RunLoads();
  var to = NOWHERE;
  var at = first;
  loop {
    let entry = entries[at] & ~RUN_BEGINS;
    // 1 more than the pair's place. Others are there, but touch nothing.
    let place = places[params.placesAt + (entry >> 1u)];
    if (place > 0u) {
      let isB = (entry & 1u) == 1u;
      let force = loads[place - 1u].force;
      sum.force += select(-force, force, isB);
      sum.torque += select(loads[place - 1u].torqueA, loads[place - 1u].torqueB, isB);
      to = select(to, 2u * place - 1u + (entry & 1u), to == NOWHERE);
    }
    at++;
    if (at >= count || entries[at] >= RUN_BEGINS) {
      break;
    }
  }
  runOf[first] = to;
  if (at - first > 1u) {
    runOf[first + 1u] = at;
  }
  if (to != NOWHERE) {
    runs[to - 1u] = sum;
  }
}
