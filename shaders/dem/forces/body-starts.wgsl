// The first entry of each body, in the order of bodies; behind them where the last one ends. A thread per body.

@compute @workgroup_size(GROUP)
fn bodyStarts(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let body = id.x + id.y * groups.x * GROUP;
  if (body > params.bodies) {
    return;
  }
  var low = 0u;
  var high = tally.entries;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (entryBodies[middle] < body) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  starts[body] = low;
}
