// Which cells a triangle overlaps: appends (cell, triangle) pairs in any order, and marks the cells as mixed. An item is a
// few rows of a triangle's box. float64 twin: findOverlaps (cell-grid/overlap.ts), whose formulas and names these are.
// requires common/float64
// requires common/float64-cross
// requires common/item-owner

const GROUP = 64u;
const ITEM_CELLS = 256u;
// Tests of a cell: per edge the projection along x, which a row's cells have in common, then those along y and z, then
// the plane.
const ROW_TESTS = 3u;
const PLANE_TEST = 9u;

// i + 0.5
fn middleOf(i: u32) -> F64 {
  let twice = f64FromInteger(i32(2u * i + 1u));
  return vec2u(twice.x, twice.y - 0x00100000u);
}

@compute @workgroup_size(GROUP)
fn overlaps(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let item = params.first + id.x + id.y * groups.x * GROUP;
  if (item >= params.end) {
    return;
  }
  let t = itemOwner(item, params.triangles);
  let box = boxes[t];
  let firstCell = vec3u(box.x, box.y, box.z) & vec3u(0xffffu);
  let cellCounts = vec3u(box.x, box.y, box.z) >> vec3u(16u);

  // Corners in units of cells, edges from each corner to the next, and the normal of the first two.
  var corners = array<F64Vector, 3>();
  for (var c = 0u; c < 3u; c++) {
    let at = 3u * indices[3u * t + c];
    for (var k = 0u; k < 3u; k++) {
      corners[c][k] = f64Multiply(f64Sub(positions[at + k], numbers.origin[k]), numbers.inverse);
    }
  }
  var edges = array<F64Vector, 3>();
  for (var c = 0u; c < 3u; c++) {
    for (var k = 0u; k < 3u; k++) {
      edges[c][k] = f64Sub(corners[next3(c)][k], corners[c][k]);
    }
  }
  var u = edges[0];
  var v = edges[1];
  var normal = F64Vector(F64_ZERO, F64_ZERO, F64_ZERO);
  var unused = normal;
  f64Cross(&u, &v, &normal, &unused);

  // How far a cell's middle may be outside: per edge and axis, and from the plane.
  var reach = array<F64Vector, 3>();
  // Sums of |components| of u, v and the normal.
  var sizes = F64Vector(F64_ZERO, F64_ZERO, F64_ZERO);
  for (var c = 0u; c < 3u; c++) {
    for (var k = 0u; k < 3u; k++) {
      let i = next3(k);
      let sum = f64Add(f64Abs(edges[c][i]), f64Abs(edges[c][next3(i)]));
      reach[c][k] = f64Multiply(numbers.half, sum);
      sizes[c] = f64Add(sizes[c], f64Abs(select(edges[c][k], normal[k], c == 2u)));
    }
  }
  // The last factor counts cells along the box: i1 - i0 + j1 - j0 + k1 - k0 + 3.
  let across = f64FromInteger(i32(cellCounts.x + cellCounts.y + cellCounts.z));
  var factors = array<F64, 4>(sizes[0], sizes[1], across, sizes[2]);
  var planeReach = numbers.normalRounding;
  var rounding = F64_ZERO;
  for (var f = 0u; f < 4u; f++) {
    rounding = select(rounding, planeReach, f == 3u);
    planeReach = f64Multiply(select(planeReach, numbers.half, f == 3u), factors[f]);
  }
  planeReach = f64Add(planeReach, rounding);

  // More than one cell along one axis only: the triangle, being connected, meets each of them.
  let wide = select(vec3u(0u), vec3u(1u), cellCounts > vec3u(1u));
  let untested = wide.x + wide.y + wide.z <= 1u;
  let rowsEach = max(1u, ITEM_CELLS / max(1u, cellCounts.x));
  let firstRow = (item - items[t]) * rowsEach;
  let endRow = min(cellCounts.y * cellCounts.z, firstRow + rowsEach);
  // From the corners to the cell's middle.
  var away = array<F64Vector, 3>();
  for (var row = firstRow; row < endRow; row++) {
    let j = firstCell.y + row % cellCounts.y;
    let k = firstCell.z + row / cellCounts.y;
    // Step 0 is for the row's own tests, the others for its cells.
    var rowPasses = true;
    for (var step = 0u; step <= cellCounts.x && rowPasses; step++) {
      let i = firstCell.x + step - 1u;
      let ofRow = step == 0u;
      var axis = select(0u, 1u, ofRow);
      for (var axisEnd = select(1u, 3u, ofRow); axis < axisEnd && !untested; axis++) {
        let middle = middleOf(select(select(j, k, axis == 2u), i, axis == 0u));
        for (var c = 0u; c < 3u; c++) {
          away[c][axis] = f64Sub(middle, corners[c][axis]);
        }
      }
      var passes = true;
      var test = select(ROW_TESTS, 0u, ofRow);
      for (var testEnd = select(PLANE_TEST + 1u, ROW_TESTS, ofRow); test < testEnd && passes && !untested; test++) {
        let plane = test == PLANE_TEST;
        let edge = select(test % 3u, 0u, plane);
        let along = select(test / 3u, 0u, plane);
        let f = next3(along);
        let g = next3(f);
        var value = F64_NEGATIVE_ZERO;
        for (var term = 0u; term < select(2u, 3u, plane); term++) {
          let second = term == 1u;
          let factor = select(edges[edge][select(f, g, second)], normal[term], plane);
          let distance = away[edge][select(select(g, f, second), term, plane)];
          let product = f64Multiply(factor, distance);
          value = f64Add(value, vec2u(product.x, product.y ^ select(0u, F64_SIGN, second && !plane)));
        }
        // Turned so that the inside of the projected triangle is positive.
        let turned = vec2u(value.x, value.y ^ select(0u, F64_SIGN, f64Less(normal[along], F64_ZERO)));
        let least = select(f64Negate(reach[edge][along]), f64Negate(planeReach), plane);
        passes = !f64Less(select(turned, f64Negate(f64Abs(value)), plane), least);
      }
      rowPasses = passes || !ofRow;
      if (passes && !ofRow) {
        let cell = (k * params.counts.y + j) * params.counts.x + i;
        atomicOr(&mixed[cell >> 4u], 2u << ((cell & 15u) << 1u));
        let place = atomicAdd(&pairs.count, 1u);
        if (place < params.capacity) {
          pairs.entries[place] = vec2u(cell, t);
        }
      }
    }
  }
}
