// requires dem/forces/add-sums.wgsl
// Sums of `width` sums each, in their order. A thread per sum.

@compute @workgroup_size(GROUP)
fn joinSums(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.threads) {
    return;
  }
  var sum = ForceSums();
  for (var k = 0u; k < params.width; k++) {
    sum = addSums(sum, parts[id.x * params.width + k]);
  }
  sums[id.x] = sum;
}
