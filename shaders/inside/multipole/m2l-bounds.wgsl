// Bounds of what M2L leaves out, at four radii about each cell's centre, and of the far field's rounding: from the
// norms of the clusters' moments (docs/multipole.md, "Error bound" and "Float32"). A cell a thread.

// Degree p and quads of coefficients per cell, highest degree of norms, norms per cluster.
override DEGREE: u32 = 2u;
override ROWS: u32 = 3u;
override NORMS: u32 = 6u;
override COLUMNS: u32 = 9u;

const CELL_RADIUS = 0.8660254;
// Rounding of powers up to the 14th of a distance's inverse, each off by at most ten spacings.
const SLACK = 0x1p-15f;

@compute @workgroup_size(GROUP)
fn m2lBounds(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  let cell = params.firstUnit + thread;
  let end = starts[cell + 1u] - params.firstEntry;
  let radii = CELL_RADIUS * vec4f(0.25, 0.5, 0.75, 1.0);
  var sum = vec4f(0.0);
  for (var i = starts[cell] - params.firstEntry; i < end; i++) {
    let interaction = interactions[i];
    let r = vec3f(vec3i((vec3u(interaction.y) >> vec3u(14u, 19u, 24u)) & vec3u(31u)) - 12);
    let distance = sqrt(r.x * r.x + r.y * r.y + r.z * r.z);
    let inverse = 1.0 / distance;
    let ratio = radii * inverse;
    let gap = 1.0 / (distance - radii);
    // Degree n gives gap^(n + 1) times its norm in all; degrees 0 .. p of the expansion have most of that.
    var all = gap;
    var head = inverse;
    var part = vec4f(0.0);
    let at = interaction.x * COLUMNS;
    for (var n = 1u; n <= DEGREE; n++) {
      all *= gap;
      head *= inverse;
      var term = vec4f(1.0);
      var known = vec4f(1.0);
      for (var s = 1u; s <= DEGREE; s++) {
        term *= ratio * (f32(n + s) / f32(s));
        known += term;
      }
      part += (all * (1.0 + SLACK) - head * known) * norms[at + n - 1u] + head * known.w * norms[at + NORMS + n];
    }
    for (var n = DEGREE + 1u; n <= NORMS; n++) {
      all *= gap;
      part += all * norms[at + n - 1u];
    }
    // Degrees above NORMS, by the bound of the next one and the radius.
    let reach = params.separated * distance;
    let t = select(params.largestRadius, reach, reach < params.largestRadius) * gap;
    let rest = 1.0 / (1.0 - t);
    part += all * gap * (rest + t * rest * rest * (1.0 / f32(NORMS + 1u))) * norms[at + NORMS];
    sum += part;
  }
  locals[cell * (ROWS + 1u) + ROWS] = sum * params.growth;
}
