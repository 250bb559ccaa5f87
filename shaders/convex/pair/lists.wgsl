// requires convex/pair/bucket.wgsl
// Lists of slots in `work`: of pairs that box axes leave open, and of pairs whose depth is wanted. The array begins
// with the lengths of both lists for each bucket. Both lists have room for all slots, and those of a bucket start at
// the bucket's first slot.

const OPEN_LIST = 0u;
const DEPTH_LIST = 1u;
const LISTS = 2u;

fn listStart(list: u32) -> u32 {
  let counters = LISTS * params.buckets;
  return counters + list * ((arrayLength(&work) - counters) / LISTS) + firstSlot();
}

fn addToList(list: u32, slot: u32) {
  let rank = atomicAdd(&work[LISTS * params.bucket + list], 1u);
  atomicStore(&work[listStart(list) + rank], slot);
}

fn isInList(list: u32, item: u32) -> bool {
  return item < atomicLoad(&work[LISTS * params.bucket + list]);
}

fn listedSlot(list: u32, item: u32) -> u32 {
  return atomicLoad(&work[listStart(list) + item]);
}
