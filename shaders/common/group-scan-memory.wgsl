// Exclusive scans over the threads of a workgroup, in workgroup memory: one thread scans a row of 16, then the sums of
// the rows are scanned.

const WIDE = 256u;
const ROW = 16u;

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

var<workgroup> cellsOfGroup: array<u32, WIDE>;
var<workgroup> rowsOfGroup: array<u32, ROW>;
var<workgroup> cellsOfGroup8: array<array<vec4u, 2>, WIDE>;
var<workgroup> rowsOfGroup8: array<array<vec4u, 2>, ROW>;

// The place of a thread in the order of the scans.
fn placeInGroup(local: u32) -> u32 {
  return local;
}

// All threads of the workgroup have to call it.
fn scanGroup(place: u32, value: u32) -> GroupScan {
  // Threads may still read what the scan before left.
  workgroupBarrier();
  cellsOfGroup[place] = value;
  workgroupBarrier();
  if (place < WIDE / ROW) {
    var sum = 0u;
    for (var at = place * ROW; at < (place + 1u) * ROW; at++) {
      let own = cellsOfGroup[at];
      cellsOfGroup[at] = sum;
      sum += own;
    }
    rowsOfGroup[place] = sum;
  }
  workgroupBarrier();
  var before = cellsOfGroup[place];
  var all = 0u;
  for (var row = 0u; row < ROW; row++) {
    before += select(0u, rowsOfGroup[row], row < place / ROW);
    all += rowsOfGroup[row];
  }
  return GroupScan(before, all);
}

// The same for eight numbers a thread.
fn scanGroup8(place: u32, value: array<vec4u, 2>) -> GroupScan8 {
  workgroupBarrier();
  cellsOfGroup8[place] = value;
  workgroupBarrier();
  if (place < WIDE / ROW) {
    var low = vec4u(0u);
    var high = vec4u(0u);
    for (var at = place * ROW; at < (place + 1u) * ROW; at++) {
      let own = cellsOfGroup8[at];
      cellsOfGroup8[at] = array<vec4u, 2>(low, high);
      low += own[0];
      high += own[1];
    }
    rowsOfGroup8[place] = array<vec4u, 2>(low, high);
  }
  workgroupBarrier();
  var before = cellsOfGroup8[place];
  var all = array<vec4u, 2>();
  for (var row = 0u; row < ROW; row++) {
    for (var half = 0u; half < 2u; half++) {
      before[half] += select(vec4u(0u), rowsOfGroup8[row][half], row < place / ROW);
      all[half] += rowsOfGroup8[row][half];
    }
  }
  return GroupScan8(before, all);
}
