// requires convex/pair/sizes.wgsl
// Workgroups for a list of each bucket, for indirect dispatches: threads without a pair cost a software adapter as much
// as others.

@compute @workgroup_size(GROUP)
fn listSizes(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < params.buckets) {
    sizes[sizeAt(id.x, 1u + params.list)] = sizeFor(work[2u * id.x + params.list]);
  }
}
