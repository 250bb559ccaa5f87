// The rows with which segments from a reference are tested against a triangle, and their bound. float64 twin: writePairs
// (cell-grid/segments.ts), whose formulas these are: rows b x c, c x a and a x b over the determinant.
// requires common/float64
// requires common/float64-cross

const GROUP = 64u;
const PAIR_FLOATS = 10u;

@compute @workgroup_size(GROUP)
fn segmentRows(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let p = params.first + id.x + id.y * groups.x * GROUP;
  if (p >= params.end) {
    return;
  }
  let t = sorted[p].x;
  let m = sorted[p].y;
  var corners = array<F64Vector, 3>();
  for (var n = 0u; n < 9u; n++) {
    let c = n / 3u;
    let k = n - 3u * c;
    let r = f64FromFloat32(references[4u * m + k]);
    corners[c][k] = f64Sub(positions[3u * indices[3u * t + c] + k], r);
  }
  var rows = array<F64Vector, 3>();
  // Sums of absolute products per axis: of the first row, and of all.
  var firstSums = F64Vector(F64_ZERO, F64_ZERO, F64_ZERO);
  var sums = firstSums;
  for (var c = 0u; c < 3u; c++) {
    var u = corners[next3(c)];
    var v = corners[next3(next3(c))];
    var row = F64Vector(F64_ZERO, F64_ZERO, F64_ZERO);
    f64Cross(&u, &v, &row, &sums);
    rows[c] = row;
    if (c == 0u) {
      firstSums = sums;
    }
  }
  // Determinant, its absolute terms, the sums times the reach along each axis, and their plain sum.
  var totals = array<F64, 4>(F64_NEGATIVE_ZERO, F64_NEGATIVE_ZERO, F64_NEGATIVE_ZERO, F64_NEGATIVE_ZERO);
  for (var k = 0u; k < 3u; k++) {
    let a = corners[0][k];
    var left = array<F64, 4>(a, f64Abs(a), sums[k], sums[k]);
    var right = array<F64, 4>(rows[0][k], firstSums[k], numbers.reach[k], F64_ONE);
    for (var n = 0u; n < 4u; n++) {
      totals[n] = f64Add(totals[n], f64Multiply(left[n], right[n]));
    }
  }
  let determinant = totals[0];
  let inverse = f64Divide(F64_ONE, determinant);
  let size = f64Abs(inverse);
  // Nine entries; then what tells whether they are sound, and the bound's two products.
  var results = array<F64, 13>();
  for (var n = 0u; n < 13u; n++) {
    let entry = n < 9u;
    let c = select(0u, n / 3u, entry);
    let k = select(0u, n % 3u, entry);
    var left = array<F64, 5>(rows[c][k], numbers.leastDeterminant, totals[3], numbers.error, results[11]);
    var right = array<F64, 5>(inverse, totals[1], size, size, totals[2]);
    let which = select(n - 8u, 0u, entry);
    results[n] = f64Multiply(left[which], right[which]);
  }
  let sound = f64Less(results[9], f64Abs(determinant)) && f64Less(results[10], numbers.largestRow);
  let at = PAIR_FLOATS * p;
  for (var n = 0u; n < 9u; n++) {
    pairRows[at + n] = select(0u, f64ToFloat32(results[n]), sound);
  }
  // Crossing towards the front leaves the body: winding - 1. The sign bit says so.
  let bound = f64Add(results[12], numbers.constant);
  let signedBound = vec2u(bound.x, bound.y ^ select(0u, F64_SIGN, f64Less(F64_ZERO, determinant)));
  // Not sound, so no point of the cell is certain: the largest float32.
  pairRows[at + 9u] = select(0x7f7fffffu, f64ToFloat32(signedBound), sound);
}
