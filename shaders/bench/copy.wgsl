// Copies words, four a thread: what a kernel pays for reading points before it has tested any.

const GROUP = 64u;

@compute @workgroup_size(GROUP)
fn copy(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let at = id.x + id.y * groups.x * GROUP;
  if (at < arrayLength(&points)) {
    copied[at] = points[at];
  }
}
