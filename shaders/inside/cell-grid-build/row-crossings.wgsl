// Which rows' lines pass a triangle: three orient2d of its projection along x, ties broken by moving the line by (e, e^2).
// The float64 determinant is certified by Shewchuk's bound; what is not goes to the host. An item is a few rows of a
// triangle's box. float64 twin: findLines (cell-grid/statuses.ts).
// requires common/float64
// requires common/float64-cross
// requires common/item-owner

const GROUP = 64u;
const ITEM_ROWS = 32u;

@compute @workgroup_size(GROUP)
fn rowCrossings(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let item = params.first + id.x + id.y * groups.x * GROUP;
  if (item >= params.end) {
    return;
  }
  let t = itemOwner(item, params.triangles);
  let box = boxes[t];
  let firstJ = box.rowsY & 0xffffu;
  let countJ = box.rowsY >> 16u;
  let firstK = box.rowsZ & 0xffffu;
  let countK = box.rowsZ >> 16u;
  // y and z of the corners, and their range.
  var corners = array<array<F64, 2>, 3>();
  var low = array<F64, 2>(F64_INFINITY, F64_INFINITY);
  var high = array<F64, 2>(f64Negate(F64_INFINITY), f64Negate(F64_INFINITY));
  for (var n = 0u; n < 6u; n++) {
    let c = n >> 1u;
    let k = n & 1u;
    let x = positions[3u * indices[3u * t + c] + 1u + k];
    corners[c][k] = x;
    low[k] = select(low[k], x, f64Less(x, low[k]));
    high[k] = select(high[k], x, f64Less(high[k], x));
  }
  let first = (item - items[t]) * ITEM_ROWS;
  let end = min(countJ * countK, first + ITEM_ROWS);
  for (var at = first; at < end; at++) {
    let j = firstJ + at % countJ;
    let k = firstK + at / countJ;
    let line = vec4u(numbers.lines[j], numbers.lines[params.counts.y + k]);
    var outside = false;
    for (var n = 0u; n < 2u; n++) {
      let place = select(line.xy, line.zw, n == 1u);
      outside = outside || f64Less(place, low[n]) || f64Less(high[n], place);
    }
    // From the line to the corners.
    var away = array<array<F64, 2>, 3>();
    for (var n = 0u; n < 6u && !outside; n++) {
      away[n >> 1u][n & 1u] = f64Sub(corners[n >> 1u][n & 1u], select(line.xy, line.zw, (n & 1u) == 1u));
    }
    var left = 0u;
    var right = 0u;
    var open = 0u;
    for (var c = 0u; c < 3u && !outside; c++) {
      let next = next3(c);
      var products = array<F64, 2>();
      for (var n = 0u; n < 2u; n++) {
        products[n] = f64Multiply(away[c][1u - n], away[next][n]);
      }
      var sums = array<F64, 2>();
      for (var n = 0u; n < 2u; n++) {
        sums[n] = f64Add(products[0], vec2u(products[1].x, products[1].y ^ (n << 31u)));
      }
      let determinant = sums[1];
      let certain = !f64Less(f64Abs(determinant), f64Multiply(numbers.orient2d, f64Abs(sums[0])));
      // The side is that of the determinant; on the edge, of the moved line.
      let zero = f64IsZero(determinant);
      // Whether the edge goes down along z (bit 0) or up (1), and if level, up along y (0) or down (1).
      var tie = 0u;
      for (var n = 0u; n < 2u && tie == 0u; n++) {
        let first = corners[select(next, c, n == 1u)][1u - n];
        let second = corners[select(c, next, n == 1u)][1u - n];
        tie = select(0u, 1u, f64Less(first, second)) | select(0u, 2u, f64Less(second, first));
      }
      let isLeft = select(determinant.y >= F64_SIGN, tie == 1u, zero);
      let isRight = select(determinant.y < F64_SIGN, tie == 2u, zero);
      left += select(0u, 1u, certain && isLeft);
      right += select(0u, 1u, certain && isRight);
      open += select(0u, 1u, !certain);
    }
    let row = k * params.counts.y + j;
    if (left == 3u || right == 3u) {
      let place = atomicAdd(&crossings.count, 1u);
      if (place < params.capacity) {
        crossings.entries[place] = vec2u(t, 2u * row + (left & 1u));
      }
    } else if (open > 0u && (left + open == 3u || right + open == 3u)) {
      let place = atomicAdd(&unsettled.count, 1u);
      if (place < arrayLength(&unsettled.entries)) {
        unsettled.entries[place] = vec2u(t, row);
      }
    }
  }
}
