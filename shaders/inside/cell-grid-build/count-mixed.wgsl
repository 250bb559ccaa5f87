// The number of mixed cells in every word of 16.

const GROUP = 64u;

@compute @workgroup_size(GROUP)
fn countMixed(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let w = params.first + id.x + id.y * groups.x * GROUP;
  if (w >= params.end) {
    return;
  }
  bases[w] = countOneBits(mixed[w]);
}
