// Both entries of each pair side by side.

@compute @workgroup_size(GROUP)
fn joinPairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let pair = id.x + id.y * groups.x * GROUP;
  if (pair < sizes[params.sizeAt].w) {
    pairs[pair] = vec2u(lows[pair], highs[pair]);
  }
}
