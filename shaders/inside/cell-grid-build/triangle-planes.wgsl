// The normal (b - a) x (c - a) of every triangle, its length, the corner a, and per component of the normal the sum of its
// absolute products. float64 twins: choosePlace (cell-grid/segments.ts) and placeCrossings (cell-grid/statuses.ts).
// requires common/float64
// requires common/float64-cross

const GROUP = 64u;

@compute @workgroup_size(GROUP)
fn trianglePlanes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let t = params.first + id.x + id.y * groups.x * GROUP;
  if (t >= params.end) {
    return;
  }
  var corner = F64Vector(F64_ZERO, F64_ZERO, F64_ZERO);
  var u = corner;
  var v = corner;
  for (var c = 0u; c < 3u; c++) {
    let at = 3u * indices[3u * t + c];
    for (var k = 0u; k < 3u; k++) {
      let x = positions[at + k];
      let difference = f64Sub(x, corner[k]);
      corner[k] = select(corner[k], x, c == 0u);
      u[k] = select(u[k], difference, c == 1u);
      v[k] = select(v[k], difference, c == 2u);
    }
  }
  var normal = F64Vector(F64_ZERO, F64_ZERO, F64_ZERO);
  var terms = normal;
  f64Cross(&u, &v, &normal, &terms);
  var square = F64_NEGATIVE_ZERO;
  for (var k = 0u; k < 3u; k++) {
    square = f64Add(square, f64Multiply(normal[k], normal[k]));
  }
  planes[t] = TrianglePlane(normal, f64Sqrt(square), corner, terms);
}
