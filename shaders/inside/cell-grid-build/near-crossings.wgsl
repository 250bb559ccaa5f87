// The crossings too near to a reference to call by their place: on which side of the triangle's plane the references lie,
// by orient3d, certified by Shewchuk's bound; what is not goes to the host. float64 twin: placeCrossings
// (cell-grid/statuses.ts).
// requires common/float64
// requires common/float64-cross
// requires common/mixed-rank
// requires common/placed-crossing

const GROUP = 64u;
const PLACES = 7u;

@compute @workgroup_size(GROUP)
fn nearCrossings(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let n = params.first + id.x + id.y * groups.x * GROUP;
  if (n >= min(params.end, crossings.count) || (placed[n].y & CROSSING_NEAR) == 0u) {
    return;
  }
  atomicAdd(&unsettled.near, 1u);
  let t = crossings.entries[n].x;
  let row = crossings.entries[n].y >> 1u;
  let front = (crossings.entries[n].y & 1u) == 1u;
  let counts = params.counts;
  var at = array<F64, 3>(F64_ZERO, numbers.lines[row % counts.y], numbers.lines[counts.y + row / counts.y]);
  // Coordinates of the corners, axis by axis, and the range along x.
  var corners = array<F64Vector, 3>();
  var low = F64_INFINITY;
  var high = f64Negate(F64_INFINITY);
  for (var c = 0u; c < 3u; c++) {
    for (var k = 0u; k < 3u; k++) {
      corners[k][c] = positions[3u * indices[3u * t + c] + k];
    }
    low = select(low, corners[0][c], f64Less(corners[0][c], low));
    high = select(high, corners[0][c], f64Less(high, corners[0][c]));
  }
  var ends = array<i32, 2>(0, 0);
  for (var end = 0u; end < 2u; end++) {
    let x = f64Sub(select(low, high, end == 1u), numbers.origin[0]);
    ends[end] = f64Floor(f64Multiply(x, numbers.inverse));
  }
  var behind = max(0, ends[0] - 1);
  let last = min(i32(counts.x) - 1, ends[1] + 1);
  var open = false;
  for (var searching = behind <= last; searching; searching = searching && behind <= last) {
    let number = row * counts.x + u32(behind);
    let word = words[number >> 4u];
    let middle = numbers.lines[counts.y + counts.z + PLACES * counts.x + u32(behind)];
    let reference = f64FromFloat32(references[4u * select(0u, mixedRank(word, number), isMixed(word, number))]);
    at[0] = select(middle, reference, isMixed(word, number));
    let before = f64Less(at[0], low);
    let beyond = f64Less(high, at[0]);
    var away = array<F64Vector, 3>();
    for (var c = 0u; c < 9u; c++) {
      away[c / 3u][c % 3u] = f64Sub(corners[c / 3u][c % 3u], at[c / 3u]);
    }
    var u = away[0];
    var v = away[1];
    var minors = F64Vector(F64_ZERO, F64_ZERO, F64_ZERO);
    var sums = minors;
    f64Cross(&u, &v, &minors, &sums);
    // The determinant and its absolute terms.
    var totals = array<F64, 2>(F64_NEGATIVE_ZERO, F64_NEGATIVE_ZERO);
    for (var c = 0u; c < 6u; c++) {
      let absolute = c >= 3u;
      let corner = select(c, c - 3u, absolute);
      let factor = away[2][corner];
      let product = f64Multiply(
        select(factor, f64Abs(factor), absolute),
        select(minors[corner], sums[corner], absolute),
      );
      totals[c / 3u] = f64Add(totals[c / 3u], product);
    }
    let certain = f64Less(f64Multiply(numbers.orient3d, totals[1]), f64Abs(totals[0]));
    // orient3d is positive below the plane as seen from its front.
    let passed = (totals[0].y >= F64_SIGN) == front;
    open = open || !(before || beyond || certain);
    searching = !(beyond || open || (!before && passed));
    behind += select(0, 1, searching);
  }
  let change = placed[n].y & CROSSING_TAKES;
  placed[n] = vec2u(row, change | select(u32(behind), CROSSING_UNSETTLED, open));
  if (open) {
    let place = atomicAdd(&unsettled.count, 1u);
    if (place < arrayLength(&unsettled.entries)) {
      unsettled.entries[place] = vec2u(t, row | CROSSING_NEAR);
    }
  }
}
