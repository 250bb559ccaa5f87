// Exclusive scans over the threads of a workgroup, by subgroups and the sums of those.
//
// WGSL leaves open which threads make a subgroup, and how large one is. So threads take their places in the order of
// the scans themselves: a subgroup takes as many as it has threads, in whatever order subgroups come.

enable subgroups;

const WIDE = 256u;

struct GroupScan {
  // Sum of the threads before.
  before: u32,
  // Sum of all threads.
  all: u32,
}

struct GroupScan8 {
  before: array<vec4u, 2>,
  all: array<vec4u, 2>,
}

// Places taken by threads, and in the upper half how many subgroups took some.
var<workgroup> placesTaken: atomic<u32>;
var<private> ownSubgroup: u32;
var<workgroup> sumsOfSubgroups: array<u32, WIDE>;
var<workgroup> sumsOfSubgroups8: array<array<vec4u, 2>, WIDE>;

// The place of a thread in the order of the scans. All threads of the workgroup have to call it, once.
fn placeInGroup(local: u32) -> u32 {
  let size = subgroupAdd(1u);
  let place = subgroupExclusiveAdd(1u);
  var taken = 0u;
  if (place == 0u) {
    taken = atomicAdd(&placesTaken, size + (1u << 16u));
  }
  // The others have 0.
  taken = subgroupAdd(taken);
  ownSubgroup = taken >> 16u;
  return (taken & 0xffffu) + place;
}

// All threads of the workgroup have to call it.
fn scanGroup(place: u32, value: u32) -> GroupScan {
  let inSubgroup = subgroupExclusiveAdd(value);
  let sum = subgroupAdd(value);
  // Threads may still read what the scan before left.
  workgroupBarrier();
  sumsOfSubgroups[ownSubgroup] = sum;
  workgroupBarrier();
  let subgroups = atomicLoad(&placesTaken) >> 16u;
  var before = inSubgroup;
  var all = 0u;
  for (var other = 0u; other < subgroups; other++) {
    before += select(0u, sumsOfSubgroups[other], other < ownSubgroup);
    all += sumsOfSubgroups[other];
  }
  return GroupScan(before, all);
}

// The same for eight numbers a thread.
fn scanGroup8(place: u32, value: array<vec4u, 2>) -> GroupScan8 {
  var before = array<vec4u, 2>(subgroupExclusiveAdd(value[0]), subgroupExclusiveAdd(value[1]));
  let sum = array<vec4u, 2>(subgroupAdd(value[0]), subgroupAdd(value[1]));
  workgroupBarrier();
  sumsOfSubgroups8[ownSubgroup] = sum;
  workgroupBarrier();
  let subgroups = atomicLoad(&placesTaken) >> 16u;
  var all = array<vec4u, 2>();
  for (var other = 0u; other < subgroups; other++) {
    for (var half = 0u; half < 2u; half++) {
      before[half] += select(vec4u(0u), sumsOfSubgroups8[other][half], other < ownSubgroup);
      all[half] += sumsOfSubgroups8[other][half];
    }
  }
  return GroupScan8(before, all);
}
