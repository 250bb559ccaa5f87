// requires common/argument.wgsl
// A triangle's solid angle seen from four points, after van Oosterom and Strackee: half of it is the argument of
// den + i num, so a sum of them is one product, with whole turns counted apart. Bounds: docs/multipole.md, "Float32".
//
// Of the kernel: `triangles`, and in `params` doubt, leastHeight and turn.

const TRIANGLE_FLOATS = 10u;

// The number of an angle, and what it adds to the steepness; in doubt it may be anything.
struct AngleFactor {
  re: vec4f,
  im: vec4f,
  steepness: vec4f,
  doubt: vec4<bool>,
}

struct AngleProduct {
  re: vec4f,
  im: vec4f,
  turns: vec4f,
  steepness: vec4f,
}

// Of the triangle whose floats begin at t.
fn angleFactor(t: u32, x: vec4f, y: vec4f, z: vec4f) -> AngleFactor {
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
  // What rounding of den and num turns their argument by: that of num less, and most angles are small.
  let steepness = product * scale * (abs(d) + 3.0 * abs(n)) / (d * d + n * n);
  return AngleFactor(d, n, steepness, doubt);
}

fn timesFactor(product: AngleProduct, factor: AngleFactor) -> AngleProduct {
  let re = product.re * factor.re - product.im * factor.im;
  let im = product.re * factor.im + product.im * factor.re;
  let f = inverseScale(abs(re) + abs(im));
  let steepness = product.steepness + select(factor.steepness, vec4f(params.turn), factor.doubt);
  let was = product.im < vec4f(0.0);
  let is = im < vec4f(0.0);
  let back = factor.im < vec4f(0.0);
  let turned = select(vec4f(0.0), select(vec4f(-1.0), vec4f(1.0), is), (was != is) & (is != back));
  return AngleProduct(re * f, im * f, product.turns + turned, steepness);
}
