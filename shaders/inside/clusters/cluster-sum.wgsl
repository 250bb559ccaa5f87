// requires common/solid-angle.wgsl
// J of four points a thread from clusters of triangles (M2P): a walk from the root takes the series of every cluster
// whose rest is small enough for a point, and the solid angles of the triangles of those that never are. Each point
// decides for itself, so what it gets does not depend on the three others. See docs/multipole.md, "Cluster sum" and
// "Float32".

// Highest degree whose norm is known.
const NORM_DEGREE = 6.0;
const MOMENT_QUADS = 9u;
// Values are summed up as whole numbers, which has no order: in units of 2^-8, and what is left of them in 2^-30.
const COARSE = 0x1p8f;
const FINE = 0x1p30f;
const CARRIED = 22u;
// Half a unit, and what underflow may take.
const FINE_ERROR = 0x1p-30f;
// Of the sum of turns, an angle and both parts.
const SUM_ERROR = 0x1p-21f;

// A cluster's series in the direction k at s / q, without the factor q^2.
fn series(node: u32, x: vec4f, y: vec4f, z: vec4f, q: vec4f) -> vec4f {
  let m = MOMENT_QUADS * node;
  let a = moments[m];
  let b = moments[m + 1u];
  let c = moments[m + 2u];
  let d = moments[m + 3u];
  let e = moments[m + 4u];
  let f = moments[m + 5u];
  let g = moments[m + 6u];
  let h = moments[m + 7u];
  let i = moments[m + 8u];
  let one = a.x * x + a.y * y + a.z * z;
  let two = x * (a.w * x + b.x * y + b.y * z) + y * (b.z * y + b.w * z) + c.x * z * z;
  let xx = x * x;
  let yy = y * y;
  let zz = z * z;
  let xy = x * y;
  let xz = x * z;
  let yz = y * z;
  let three = x * (c.y * xx + c.z * xy + c.w * xz + d.x * yy + d.y * yz + d.z * zz)
    + y * (d.w * yy + e.x * yz + e.y * zz)
    + e.z * z * zz;
  let four = xx * (e.w * xx + f.x * xy + f.y * xz + f.z * yy + f.w * yz + g.x * zz)
    + xy * (g.y * yy + g.z * yz + g.w * zz)
    + h.x * xz * zz
    + yy * (h.y * yy + h.z * yz + h.w * zz)
    + i.x * yz * zz
    + i.y * zz * zz;
  return one + q * (two + q * (three + q * four));
}

@compute @workgroup_size(GROUP)
fn clusterSum(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  let x = points[4u * thread];
  let y = points[4u * thread + 1u];
  let z = points[4u * thread + 2u];
  let most = points[4u * thread + 3u];
  var product = AngleProduct(vec4f(1.0), vec4f(0.0), vec4f(0.0), vec4f(0.0));
  var coarse = vec4i(0);
  var fine = vec4i(0);
  var left = vec4f(0.0);
  var rounding = vec4f(0.0);
  // Where each point's walk goes on.
  var nexts = vec4u(0u);
  for (var node = 0u; node < params.clusters; ) {
    let cluster = clusters[node];
    // A difference that cancels before anything is added to it: nothing is moved across a clamp.
    let dx = clamp(cluster.high.x - x, vec4f(-0x1p127), vec4f(0x1p127)) + cluster.low.x;
    let dy = clamp(cluster.high.y - y, vec4f(-0x1p127), vec4f(0x1p127)) + cluster.low.y;
    let dz = clamp(cluster.high.z - z, vec4f(-0x1p127), vec4f(0x1p127)) + cluster.low.z;
    let square = dx * dx + dy * dy + dz * dz;
    let inverse = inverseSqrt(max(square, vec4f(cluster.leastSquare)));
    let q = cluster.scale * inverse;
    let q2 = q * q;
    let t = cluster.radius * q;
    let u = 1.0 / (1.0 - t);
    let tail = q * cluster.norms.z * u * (1.0 + t * u * (1.0 / (NORM_DEGREE + 1.0)));
    let rest = q2 * q2 * q2 * (cluster.norms.x + q * (cluster.norms.y + tail));
    let here = vec4u(node) >= nexts;
    let apart = here & (square > vec4f(cluster.leastSquare)) & (rest <= most);
    if (any(apart)) {
      let value = q2 * series(node, dx * inverse, dy * inverse, dz * inverse, q);
      let whole = round(select(vec4f(0.0), value, apart) * COARSE);
      let part = select(vec4f(0.0), value - whole * (1.0 / COARSE), apart);
      fine += vec4i(round(part * FINE));
      let carried = fine >> vec4u(CARRIED);
      coarse += vec4i(whole) + carried;
      fine -= carried << vec4u(CARRIED);
      left += select(vec4f(0.0), rest, apart);
      let own = q2 * (cluster.rounding.x + q * cluster.rounding.y) + FINE_ERROR;
      rounding += select(vec4f(0.0), own, apart);
      nexts = select(nexts, vec4u(select(cluster.first, node + 1u, cluster.last > 0u)), apart);
    }
    let near = here & !apart;
    if (cluster.last > 0u && any(near)) {
      let end = cluster.last * TRIANGLE_FLOATS;
      for (var i = cluster.first * TRIANGLE_FLOATS; i < end; i += TRIANGLE_FLOATS) {
        let factor = angleFactor(i, x, y, z);
        // The number 1 is no angle.
        product = timesFactor(
          product,
          AngleFactor(
            select(vec4f(1.0), factor.re, near),
            select(vec4f(0.0), factor.im, near),
            select(vec4f(0.0), factor.steepness, near),
            factor.doubt & near,
          ),
        );
      }
    }
    node = max(node + 1u, min(min(nexts.x, nexts.y), min(nexts.z, nexts.w)));
  }
  let apart = vec4f(coarse) * (1.0 / COARSE) + vec4f(fine) * (1.0 / FINE);
  sums[4u * thread] = product.turns + argument(product.re, product.im) + apart;
  sums[4u * thread + 1u] = left;
  sums[4u * thread + 2u] = rounding + SUM_ERROR * (abs(product.turns) + abs(apart) + 1.0);
  sums[4u * thread + 3u] = product.steepness;
}
