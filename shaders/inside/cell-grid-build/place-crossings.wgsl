// Where along its row a line crosses a triangle: the first cell whose reference is behind the crossing. The place is
// computed with a bound; a crossing too near to a reference, or with too large a bound, is left to near-crossings.wgsl.
// float64 twin: placeCrossings (cell-grid/statuses.ts).
// requires common/float64
// requires common/float64-cross
// requires common/mixed-rank
// requires common/placed-crossing

const GROUP = 64u;
const PLACES = 7u;

@compute @workgroup_size(GROUP)
fn placeCrossings(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let n = params.first + id.x + id.y * groups.x * GROUP;
  if (n >= min(params.end, crossings.count)) {
    return;
  }
  let t = crossings.entries[n].x;
  let row = crossings.entries[n].y >> 1u;
  let counts = params.counts;
  var line = array<F64, 2>(numbers.lines[row % counts.y], numbers.lines[counts.y + row / counts.y]);
  let plane = planes[t];
  // Height of the line over the plane at the corner's x, absolute terms of the place, and the rounding of those.
  var sums = F64Vector(F64_NEGATIVE_ZERO, F64_NEGATIVE_ZERO, F64_NEGATIVE_ZERO);
  // The shift along x that takes the height to 0, then the error of the place.
  var quotients = array<F64, 3>(F64_ZERO, F64_ZERO, F64_ZERO);
  var normal = plane.normal;
  var terms = plane.terms;
  var corner = plane.corner;
  for (var step = 0u; step < 3u; step++) {
    // Along y, along z, and then along x by the shift.
    let axis = select(step + 1u, 0u, step == 2u);
    let away = select(f64Sub(select(line[0], line[1], step == 1u), corner[axis]), quotients[1], step == 2u);
    var left = F64Vector(away, f64Abs(away), numbers.placeRounding);
    var right = F64Vector(normal[axis], terms[axis], F64_ZERO);
    for (var n = 0u; n < 3u; n++) {
      // The rounding is one product, that with the sum of all terms.
      let product = f64Multiply(left[n], select(right[n], sums[1], n == 2u));
      sums[n] = f64Add(select(sums[n], F64_NEGATIVE_ZERO, n == 2u), product);
    }
    let last = step == 2u;
    quotients[step] = f64Divide(
      select(f64Negate(sums[0]), sums[2], last),
      select(normal[0], f64Abs(normal[0]), last),
    );
  }
  // In cells: the error, (the place in units of length), the place, that of its cell's reference, and how far apart.
  var results = array<F64, 5>();
  var minuends = array<F64, 5>(quotients[2], corner[0], F64_ZERO, F64_ZERO, F64_ZERO);
  var subtrahends = array<F64, 5>(F64_ZERO, f64Negate(quotients[1]), numbers.origin[0], numbers.origin[0], F64_ZERO);
  var cell = 0u;
  for (var step = 0u; step < 5u; step++) {
    let difference = f64Sub(minuends[step], subtrahends[step]);
    let scaled = f64Multiply(difference, numbers.inverse);
    results[step] = select(scaled, difference, step == 1u || step == 4u);
    if (step == 1u) {
      minuends[2] = difference;
    }
    if (step == 2u) {
      cell = u32(clamp(f64Floor(scaled), 0, i32(counts.x) - 1));
      let number = row * counts.x + cell;
      let word = words[number >> 4u];
      let middle = numbers.lines[counts.y + counts.z + PLACES * counts.x + cell];
      let reference = f64FromFloat32(references[4u * select(0u, mixedRank(word, number), isMixed(word, number))]);
      minuends[3] = select(middle, reference, isMixed(word, number));
      minuends[4] = scaled;
    }
    if (step == 3u) {
      subtrahends[4] = scaled;
    }
  }
  // A normal that is rounding more than anything else tells nothing.
  let sound = f64Less(f64Multiply(numbers.leastNormal, terms[0]), f64Abs(normal[0]));
  let certain = sound && f64Less(results[0], numbers.placeError) && f64Less(numbers.twicePlaceError, f64Abs(results[4]));
  let behind = cell + select(1u, 0u, f64Less(results[2], results[3]));
  // Passing towards +x through a face whose normal points there leaves the body.
  let change = select(CROSSING_ADDS, CROSSING_TAKES, (crossings.entries[n].y & 1u) == 1u);
  placed[n] = vec2u(row, change | select(CROSSING_NEAR, behind, certain));
}
