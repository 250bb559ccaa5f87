// The colliders of the pairs of one class, in order.

@compute @workgroup_size(GROUP)
fn gatherPairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= sizes[params.sizeAt].w) {
    return;
  }
  // A list begins with its length.
  let pair = pairs[list[1u + i]];
  gathered[i] = vec2u(entries[pair.x].x, entries[pair.y].x);
}
