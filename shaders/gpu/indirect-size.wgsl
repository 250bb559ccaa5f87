// Workgroups for a count that lies in a buffer: what an indirect dispatch reads, and the count itself behind it.
// `dispatchSize` of dispatch.ts is its twin.

@compute @workgroup_size(1)
fn indirectSize() {
  let count = min(counts[params.countAt], params.most);
  // Each product is below 2^32 if the number of threads is.
  let threads = select(
    count * params.threadsPerItem,
    count / params.itemsPerThread + select(0u, 1u, count % params.itemsPerThread != 0u),
    params.itemsPerThread > 1u
  );
  let groups = threads / GROUP + select(0u, 1u, threads % GROUP != 0u);
  var y = max(1u, groups / params.mostGroups + select(0u, 1u, groups % params.mostGroups != 0u));
  var x = groups / y + select(0u, 1u, groups % y != 0u);
  // Numbers of threads must not start again at 0.
  if (x * y > params.allGroups) {
    x = 32768u;
    y = params.allGroups / 32768u;
  }
  sizes[params.sizeAt] = vec4u(x, y, 1u, count);
}
