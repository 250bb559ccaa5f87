// How many crossings each row has; a crossing's slot is how many came before it, in no particular order.
// requires common/placed-crossing

const GROUP = 64u;

@compute @workgroup_size(GROUP)
fn countCrossings(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let n = params.first + id.x + id.y * groups.x * GROUP;
  if (n >= params.end || (placed[n].y & CROSSING_UNSETTLED) != 0u) {
    return;
  }
  slots[n] = atomicAdd(&counts[placed[n].x], 1u);
}
