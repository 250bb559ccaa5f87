// requires common/groups-for.wgsl
// Workgroups for a count that lies in a buffer: what an indirect dispatch reads, and the count itself behind it.

@compute @workgroup_size(1)
fn indirectSize() {
  let count = min(counts[params.countAt], params.most);
  // Each product is below 2^32 if the number of threads is.
  let threads = select(
    count * params.threadsPerItem,
    count / params.itemsPerThread + select(0u, 1u, count % params.itemsPerThread != 0u),
    params.itemsPerThread > 1u
  );
  sizes[params.sizeAt] = vec4u(groupsFor(threads, params.mostGroups, params.allGroups), 1u, count);
}
