// The cells and the rows of cells that a triangle's box reaches, and into how many items the work on either is cut.
// float64 twins: the boxes in findOverlaps (cell-grid/overlap.ts) and findLines (cell-grid/statuses.ts).
// requires common/float64

const GROUP = 64u;
// Cells of an item, in whole rows of the box; `ITEM_CELLS` in overlaps.wgsl.
const ITEM_CELLS = 256u;
// Rows of an item; `ITEM_ROWS` in row-crossings.wgsl.
const ITEM_ROWS = 32u;

fn itemsOf(rows: u32, each: u32) -> u32 {
  return (rows + each - 1u) / each;
}

@compute @workgroup_size(GROUP)
fn triangleBoxes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let t = params.first + id.x + id.y * groups.x * GROUP;
  if (t >= params.end) {
    return;
  }
  // First and number of cells and of rows, per axis, in halves of a word.
  var cells = array<u32, 3>(0u, 0u, 0u);
  var rows = array<u32, 3>(0u, 0u, 0u);
  for (var k = 0u; k < 3u; k++) {
    // In units of cells. Rounding keeps order: the least of the corners is the least of their cell coordinates too.
    var low = F64_INFINITY;
    var high = f64Negate(F64_INFINITY);
    for (var c = 0u; c < 3u; c++) {
      let x = positions[3u * indices[3u * t + c] + k];
      let at = f64Multiply(f64Sub(x, numbers.origin[k]), numbers.inverse);
      low = select(low, at, f64Less(at, low));
      high = select(high, at, f64Less(high, at));
    }
    // Cells: floor(low - margin) .. floor(high + margin). Rows: floor(low - line) .. ceil(high - line).
    var ends = array<i32, 4>(0, 0, 0, 0);
    for (var end = 0u; end < 4u; end++) {
      let shift = select(numbers.margin, numbers.line[k], end >= 2u);
      let moved = f64Add(select(low, high, (end & 1u) == 1u), select(f64Negate(shift), shift, end == 1u));
      let whole = f64Floor(select(moved, f64Negate(moved), end == 3u));
      ends[end] = select(whole, -whole, end == 3u);
    }
    let last = i32(params.counts[k]) - 1;
    let firstCell = max(0, ends[0]);
    let firstRow = max(0, ends[2]);
    cells[k] = u32(firstCell) | (u32(max(0, min(last, ends[1]) - firstCell + 1)) << 16u);
    rows[k] = u32(firstRow) | (u32(max(0, min(last, ends[3]) - firstRow + 1)) << 16u);
  }
  boxes[t] = TriangleBox(cells[0], cells[1], cells[2], rows[1], rows[2]);
  let each = max(1u, ITEM_CELLS / max(1u, cells[0] >> 16u));
  overlapItems[t] = itemsOf((cells[1] >> 16u) * (cells[2] >> 16u), each);
  rowItems[t] = itemsOf((rows[1] >> 16u) * (rows[2] >> 16u), ITEM_ROWS);
}
