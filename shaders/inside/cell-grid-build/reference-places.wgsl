// Reference points of mixed cells: the first of a few places on the row's line that is clear of all planes of the cell's
// triangles, else the clearest. float64 twin: choosePlace (cell-grid/segments.ts).
// requires common/float64

const GROUP = 64u;
const PLACES = 7u;

@compute @workgroup_size(GROUP)
fn referencePlaces(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let m = params.first + id.x + id.y * groups.x * GROUP;
  if (m >= params.end) {
    return;
  }
  let cell = cells[m];
  let row = cell / params.counts.x;
  let i = cell - row * params.counts.x;
  let first = starts[m];
  let end = starts[m + 1u];
  var at = array<F64, 3>(
    F64_ZERO,
    numbers.lines[row % params.counts.y],
    numbers.lines[params.counts.y + row / params.counts.y],
  );
  let places = params.counts.y + params.counts.z + PLACES * i;
  var best = f64Negate(F64_ONE);
  var bestX = F64_ZERO;
  var searching = true;
  for (var place = 0u; place < PLACES && searching; place++) {
    at[0] = numbers.lines[places + place];
    var clearance = F64_INFINITY;
    var hopeful = true;
    for (var p = first; p < end && hopeful; p++) {
      let t = sorted[p].x;
      var height = F64_NEGATIVE_ZERO;
      for (var k = 0u; k < 3u; k++) {
        let away = f64Sub(at[k], planes[t].corner[k]);
        height = f64Add(height, f64Multiply(planes[t].normal[k], away));
      }
      // NaN for a face without area, which has no plane to be clear of.
      let distance = f64Divide(f64Abs(height), planes[t].size);
      clearance = select(clearance, distance, f64Less(distance, clearance));
      hopeful = f64Less(best, clearance);
    }
    best = select(best, clearance, hopeful);
    bestX = select(bestX, at[0], hopeful);
    searching = f64Less(best, numbers.enough);
  }
  references[4u * m] = f64ToFloat32(bestX);
  references[4u * m + 1u] = f64ToFloat32(at[1]);
  references[4u * m + 2u] = f64ToFloat32(at[2]);
}
