// requires common/argument.wgsl
// The direct sum of solid angles over 4 pi (Muth et al., eqs. 6 and 18) of four points a thread, after van Oosterom and
// Strackee: half an angle is the argument of den + i num, so all of them are one product. Bounds: docs/multipole.md.
//
// Triangles that do not fit into one binding come in pages; the product goes on from page to page.

const TRIANGLE_FLOATS = 10u;

@compute @workgroup_size(GROUP)
fn solidAngles(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  let x = points[3u * thread];
  let y = points[3u * thread + 1u];
  let z = points[3u * thread + 2u];
  var re = vec4f(1.0);
  var im = vec4f(0.0);
  var turns = vec4f(0.0);
  var steepness = vec4f(0.0);
  if (params.resume != 0u) {
    re = sums[4u * thread];
    im = sums[4u * thread + 1u];
    turns = sums[4u * thread + 2u];
    steepness = sums[4u * thread + 3u];
  }
  let end = params.triangles * TRIANGLE_FLOATS;
  for (var t = 0u; t < end; t += TRIANGLE_FLOATS) {
    let ax = triangles[t] - x;
    let ay = triangles[t + 1u] - y;
    let az = triangles[t + 2u] - z;
    let bx = triangles[t + 3u] - x;
    let by = triangles[t + 4u] - y;
    let bz = triangles[t + 5u] - z;
    let cx = triangles[t + 6u] - x;
    let cy = triangles[t + 7u] - y;
    let cz = triangles[t + 8u] - z;
    let a = sqrt(ax * ax + ay * ay + az * az);
    let b = sqrt(bx * bx + by * by + bz * bz);
    let c = sqrt(cx * cx + cy * cy + cz * cz);
    let product = a * b * c;
    let num = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    let den = product
      + (ax * bx + ay * by + az * bz) * c
      + (bx * cx + by * cy + bz * cz) * a
      + (cx * ax + cy * ay + cz * az) * b;
    let height = abs(num);
    let limit = params.doubt * product + triangles[t + 9u];
    let doubt = (height <= limit) & (den <= limit);
    // What is nearly 0 is 0: else underflow could move the product over the cut without a turn.
    let scale = inverseScale(product);
    let n = select(num * scale, vec4f(0.0), doubt | (height < params.leastHeight * limit));
    let d = select(den * scale, vec4f(1.0), doubt);
    let re1 = re * d - im * n;
    let im1 = re * n + im * d;
    let f = inverseScale(abs(re1) + abs(im1));
    steepness += select(product * scale * f, vec4f(params.turn), doubt);
    let was = im < vec4f(0.0);
    let is = im1 < vec4f(0.0);
    let back = n < vec4f(0.0);
    turns += select(vec4f(0.0), select(vec4f(-1.0), vec4f(1.0), is), (was != is) & (is != back));
    re = re1 * f;
    im = im1 * f;
  }
  if (params.finish == 0u) {
    sums[4u * thread] = re;
    sums[4u * thread + 1u] = im;
    sums[4u * thread + 2u] = turns;
    sums[4u * thread + 3u] = steepness;
    return;
  }
  let value = turns + argument(re, im);
  sums[4u * thread] = value;
  sums[4u * thread + 1u] = params.rounding * steepness + params.constant + params.spacing * abs(value);
}
