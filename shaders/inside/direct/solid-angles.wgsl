// requires common/solid-angle.wgsl
// The direct sum of solid angles over 4 pi (Muth et al., eqs. 6 and 18) of four points a thread.
//
// Triangles that do not fit into one binding come in pages; the product goes on from page to page.

@compute @workgroup_size(GROUP)
fn solidAngles(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  let x = points[3u * thread];
  let y = points[3u * thread + 1u];
  let z = points[3u * thread + 2u];
  var product = AngleProduct(vec4f(1.0), vec4f(0.0), vec4f(0.0), vec4f(0.0));
  if (params.resume != 0u) {
    product = AngleProduct(
      sums[4u * thread],
      sums[4u * thread + 1u],
      sums[4u * thread + 2u],
      sums[4u * thread + 3u],
    );
  }
  let end = params.triangles * TRIANGLE_FLOATS;
  for (var t = 0u; t < end; t += TRIANGLE_FLOATS) {
    product = timesFactor(product, angleFactor(t, x, y, z));
  }
  if (params.finish == 0u) {
    sums[4u * thread] = product.re;
    sums[4u * thread + 1u] = product.im;
    sums[4u * thread + 2u] = product.turns;
    sums[4u * thread + 3u] = product.steepness;
    return;
  }
  let value = product.turns + argument(product.re, product.im);
  sums[4u * thread] = value;
  sums[4u * thread + 1u] = params.rounding * product.steepness + params.constant + params.spacing * abs(value);
}
