// Crossings brought together by row.
// requires common/placed-crossing

const GROUP = 64u;

@compute @workgroup_size(GROUP)
fn groupCrossings(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let n = params.first + id.x + id.y * groups.x * GROUP;
  if (n >= params.end || (placed[n].y & CROSSING_UNSETTLED) != 0u) {
    return;
  }
  ofRows[rowStarts[placed[n].x] + slots[n]] = placed[n].y;
}
