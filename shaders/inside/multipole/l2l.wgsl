// L2L (Muth et al., eq. 25): adds to the cells of one level what their parents have, four coefficients a thread.

// Quads of coefficients per cell.
override ROWS: u32 = 3u;

@compute @workgroup_size(GROUP)
fn l2l(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  // Siblings stand together, eight after eight behind the root.
  let cell = params.firstUnit + thread / ROWS;
  let row = thread % ROWS;
  let octant = (cell - 1u) & 7u;
  let parent = parents[(cell - 1u) >> 3u];
  let table = octant * ROWS * ROWS + row;
  var sum = locals[cell * (ROWS + 1u) + row];
  for (var j = 0u; j < ROWS; j++) {
    sum += tables[table + j * ROWS] * locals[parent * (ROWS + 1u) + j];
  }
  locals[cell * (ROWS + 1u) + row] = sum;
}
