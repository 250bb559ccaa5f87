// Sizes of indirect dispatches with a thread per pair, in two dimensions as `dispatchSize` of src/gpu/dispatch.ts has
// them: that of the pairs of bodies, then three for each bucket, of all its pairs and of both lists.

const SIZES_PER_BUCKET = 3u;
const MOST_GROUPS = 65535u;

fn sizeFor(count: u32) -> vec4u {
  let groups = count / GROUP + select(0u, 1u, count % GROUP != 0u);
  let y = max(1u, (groups + MOST_GROUPS - 1u) / MOST_GROUPS);
  return vec4u((groups + y - 1u) / y, y, 1u, count);
}

fn sizeAt(bucket: u32, which: u32) -> u32 {
  return 1u + SIZES_PER_BUCKET * bucket + which;
}
