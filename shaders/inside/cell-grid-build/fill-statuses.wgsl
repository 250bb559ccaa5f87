// Statuses of 16 cells and the windings of their references, from the crossings of their row: sums of integers, which do
// not depend on order. float64 twin: fillStatuses (cell-grid/statuses.ts).
// requires common/placed-crossing

const GROUP = 64u;
const CELLS = 16u;

@compute @workgroup_size(GROUP)
fn fillStatuses(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let w = params.first + id.x + id.y * groups.x * GROUP;
  if (w >= params.end) {
    return;
  }
  let wordsPerRow = params.counts.x / CELLS;
  let row = w / wordsPerRow;
  let firstCell = CELLS * (w - row * wordsPerRow);
  // Changes in these cells, before them, and in the whole row.
  var changes = array<i32, 16>();
  var winding = 0;
  var total = 0;
  let end = rowStarts[row + 1u];
  for (var e = rowStarts[row]; e < end; e++) {
    let crossing = ofRows[e];
    let cell = crossing & CROSSING_CELL;
    let change = select(1, -1, (crossing & CROSSING_TAKES) != 0u);
    let here = cell >= firstCell && cell < firstCell + CELLS;
    changes[select(0u, cell - firstCell, here)] += select(0, change, here);
    winding += select(0, change, cell < firstCell);
    total += change;
  }
  let word = words[w];
  var rank = word.y;
  var oddBits = 0u;
  var nonzeroBits = 0u;
  for (var c = 0u; c < CELLS; c++) {
    winding += changes[c];
    oddBits |= u32(winding & 1) << (2u * c);
    nonzeroBits |= select(0u, 1u, winding != 0) << (2u * c);
    if (((word.x >> (2u * c)) & 2u) != 0u) {
      references[4u * rank + 3u] = bitcast<u32>(f32(winding));
      rank++;
    }
  }
  words[w] = vec2u(word.x | oddBits, word.y);
  nonzero[w] = vec2u(word.x | nonzeroBits, word.y);
  // A closed surface's winding is even where a row ends.
  if ((total & 1) != 0) {
    atomicMin(&firstOpenRow, row);
  }
}
