// Bounds of what M2L leaves out, at four radii about each cell's centre: the table of an interaction's offset times the
// cluster's norms (docs/multipole.md, "Error bound"). A cell a thread.

// Quads of coefficients per cell, norms per cluster.
override ROWS: u32 = 3u;
override COLUMNS: u32 = 9u;

const GROUP = 64u;

@compute @workgroup_size(GROUP)
fn m2lBounds(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  let cell = params.firstUnit + thread;
  let end = starts[cell + 1u] - params.firstEntry;
  var sum = vec4f(0.0);
  for (var i = starts[cell] - params.firstEntry; i < end; i++) {
    let interaction = interactions[i];
    let table = interaction.y * COLUMNS;
    let source = interaction.x * COLUMNS;
    var part = vec4f(0.0);
    for (var j = 0u; j < COLUMNS; j++) {
      part += weights[table + j] * norms[source + j];
    }
    sum += part;
  }
  locals[cell * (ROWS + 1u) + ROWS] = sum;
}
