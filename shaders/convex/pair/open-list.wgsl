// The list of pairs that float32 leaves open, in `open`. Host: `OpenWord` and `OPEN_HEADER` of
// src/convex/gpu/pair-layout.ts.

const NEEDED = 0u;
const ROOM = 1u;
const LISTED = 2u;
const PART_PAIRS = 3u;
const OPEN_HEADER = 4u;

fn leaveOpen(pair: u32) {
  atomicStore(&open[OPEN_HEADER + atomicAdd(&open[LISTED], 1u)], pair);
}
