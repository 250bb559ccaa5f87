// A crossing of a row's line: row, and in the second word the first cell behind it with one of these marks.

// The winding rises or falls by one.
const CROSSING_ADDS = 0u;
const CROSSING_TAKES = 0x80000000u;
// Not placed yet.
const CROSSING_NEAR = 0x40000000u;
// Left to the host, which appends it again with its place.
const CROSSING_UNSETTLED = 0x20000000u;
const CROSSING_CELL = 0xffffu;
