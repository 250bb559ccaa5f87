// What the error bound needs to know of a cluster, a cluster a thread: norms of its moments of degrees 1 .. DEGREE, a
// bound of the norm of the next degree, and bounds of the rounding of degrees 1 .. USED (docs/multipole.md, "Error
// bound"). All from above.

// Highest degree of moments, highest one in M2L, floats of moments and of norms per cluster.
override DEGREE: u32 = 6u;
override USED: u32 = 2u;
override STRIDE: u32 = 48u;
override COLUMNS: u32 = 9u;

const PER_SPHERE = 0.0795774715;
// Rounding of products of at most 16 factors and of their sums; more triangles add to it.
const GROWN = 1.0 + 0x1p-14f;
const SPACING = 0x1p-23f;

fn vertex(t: u32, corner: u32) -> vec3f {
  let v = 3u * corners[3u * t + corner];
  return vec3f(vertices[v], vertices[v + 1u], vertices[v + 2u]);
}

// |y|^DEGREE.
fn power(y: vec3f) -> f32 {
  let square = dot(y, y);
  var result = select(1.0, sqrt(square), DEGREE % 2u == 1u);
  for (var i = 1u; i < DEGREE; i += 2u) {
    result *= square;
  }
  return result;
}

@compute @workgroup_size(GROUP)
fn momentNorms(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  let cluster = params.firstUnit + thread;
  let cell = clusters[cluster];
  var mass = 0.0;
  var next = 0.0;
  for (var t = cell.first; t < cell.last; t++) {
    let a = vertex(t, 0u);
    let b = vertex(t, 1u);
    let c = vertex(t, 2u);
    let u = (b - a) * cell.inverse;
    let v = (c - a) * cell.inverse;
    // Rounding of the normal is as large as the sides, not as the area, allows.
    let sides = 0.5 * length(u) * length(v);
    let area = 0.5 * length(cross(u, v)) + 16.0 * SPACING * sides;
    mass += sides;
    let atA = power((a - cell.centre) * cell.inverse);
    let atB = power((b - cell.centre) * cell.inverse);
    let atC = power((c - cell.centre) * cell.inverse);
    next += area * (atA + atB + atC);
  }
  let grown = GROWN + 2.0 * SPACING * f32(cell.last - cell.first);
  mass *= grown;
  let at = COLUMNS * cluster;
  norms[at + DEGREE] = PER_SPHERE / 3.0 * f32(DEGREE + 1u) * next * grown;
  // Rounding of degree n: so many spacings of n / 4 pi times the mass times reach^(n - 1).
  var reached = PER_SPHERE * mass;
  for (var n = 1u; n <= DEGREE; n++) {
    let rounding = roundings[n] * f32(n) * reached;
    var square = 0.0;
    for (var i = n * n; i < (n + 1u) * (n + 1u); i++) {
      let moment = moments[STRIDE * cluster + i - 1u];
      square += moment * moment;
    }
    norms[at + n - 1u] = sqrt(square) * GROWN + rounding;
    if (n <= USED) {
      norms[at + DEGREE + n] = rounding;
    }
    reached *= cell.reach;
  }
}
