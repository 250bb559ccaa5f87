// The pairs that are solved, in order.

@compute @workgroup_size(GROUP)
fn gatherNear(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let k = id.x + id.y * groups.x * GROUP;
  if (k < sizes[1].w) {
    // The list begins with its length.
    near[k] = asked[list[1u + k]];
  }
}
