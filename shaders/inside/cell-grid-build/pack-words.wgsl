// Statuses of 16 cells and the number of mixed cells before them, side by side as kernels read them.

const GROUP = 64u;

@compute @workgroup_size(GROUP)
fn packWords(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let w = params.first + id.x + id.y * groups.x * GROUP;
  if (w >= params.end) {
    return;
  }
  words[w] = vec2u(mixed[w], bases[w]);
}
