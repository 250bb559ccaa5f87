// Both entries of each pair side by side, by their names.

@compute @workgroup_size(GROUP)
fn joinPairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let pair = id.x + id.y * groups.x * GROUP;
  if (pair < sizes[params.sizeAt].w) {
    let higher = lowWords[pair] & ((1u << params.entryBits) - 1u);
    let lower = (lowWords[pair] >> params.entryBits) | (highWords[pair] << (32u - params.entryBits));
    pairs[pair] = vec2u(names[lower], names[higher]);
  }
}
