// Signed distances at points, for a test.

// requires contacts/field/nearest.wgsl

@compute @workgroup_size(GROUP)
fn fieldAtPoints(@builtin(global_invocation_id) id: vec3u) {
  let n = id.x;
  if (n >= params.count) {
    return;
  }
  let p = vec3f(points[3u * n], points[3u * n + 1u], points[3u * n + 2u]);
  let found = depthAt(params.shape, p);
  let grid = gridOf(params.shape);
  let box = clamp(p, grid.boxMin, grid.boxMax);
  let code = select(OUTSIDE, cellWord(grid, box) >> 30u, isInBox(grid, p));
  answers[n] = Answer(found.normal, found.depth, code, found.triangle);
}
