// M2L (Muth et al., eq. 24): the local coefficients that each cell gets from its own interactions, four of them a
// thread. Every thread gathers in the order of the list, so results do not depend on scheduling.

// Quads of coefficients per cell; of moments used, and of all moments per cluster.
override ROWS: u32 = 3u;
override COLUMNS: u32 = 2u;
override QUADS: u32 = 12u;

@compute @workgroup_size(GROUP)
fn m2l(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  let cell = params.firstUnit + thread / ROWS;
  let row = thread % ROWS;
  let end = starts[cell + 1u] - params.firstEntry;
  var sum = vec4f(0.0);
  for (var i = starts[cell] - params.firstEntry; i < end; i++) {
    let interaction = interactions[i];
    let table = (interaction.y & 0x3fffu) * ROWS * COLUMNS + row;
    let source = interaction.x * QUADS;
    var part = vec4f(0.0);
    for (var j = 0u; j < COLUMNS; j++) {
      part += tables[table + j * ROWS] * moments[source + j];
    }
    sum += part;
  }
  // The last quad of a cell is for its bounds.
  locals[cell * (ROWS + 1u) + row] = sum;
}
