// Numbers of twice the digits of float32: sums of two, high and low, after T. J. Dekker (1971). What is exact there
// when rounding to nearest is so to a spacing of the last digit when rounding either way, as WGSL does: docs/convex.md,
// "Bodies on the GPU", has the bound.

struct Twofold {
  high: vec3f,
  low: vec3f,
}

var<private> zero: vec3u;

// The same number, of which compilers know nothing: sums that are 0 in exact arithmetic must not be left out, and no
// product be fused with what is subtracted from it. `zero` is 0: `params.zero`, read once, by who uses this.
fn rounded(x: vec3f) -> vec3f {
  return bitcast<vec3f>(bitcast<vec3u>(x) ^ zero);
}

fn sumOf(a: vec3f, b: vec3f) -> Twofold {
  let sum = rounded(a + b);
  let ofB = rounded(sum - a);
  let ofA = rounded(sum - ofB);
  return Twofold(sum, (a - ofA) + (b - ofB));
}

// The upper 12 bits of each.
fn upper(x: vec3f) -> vec3f {
  return bitcast<vec3f>(bitcast<vec3u>(x) & vec3u(0xfffff000u));
}

fn add(a: Twofold, b: Twofold) -> Twofold {
  let sum = sumOf(a.high, b.high);
  return sumOf(sum.high, sum.low + (a.low + b.low));
}

fn multiply(a: Twofold, b: Twofold) -> Twofold {
  let product = rounded(a.high * b.high);
  let a1 = upper(a.high);
  let b1 = upper(b.high);
  let a2 = a.high - a1;
  let b2 = b.high - b1;
  let rest = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
  return sumOf(product, rest + (a.high * b.low + a.low * b.high));
}

fn negative(a: Twofold) -> Twofold {
  return Twofold(-a.high, -a.low);
}

fn crossOf(a: Twofold, b: Twofold) -> Twofold {
  let ahead = multiply(Twofold(a.high.yzx, a.low.yzx), Twofold(b.high.zxy, b.low.zxy));
  let behind = multiply(Twofold(a.high.zxy, a.low.zxy), Twofold(b.high.yzx, b.low.yzx));
  return add(ahead, negative(behind));
}

// The sum of all components, in each of them.
fn totalOf(a: Twofold) -> Twofold {
  let two = add(Twofold(a.high.xxx, a.low.xxx), Twofold(a.high.yyy, a.low.yyy));
  return add(two, Twofold(a.high.zzz, a.low.zzz));
}

// 1 over a number n = 1 + d with |d| at most 0.0021: 2 - n + d^2 - d^3 + d^4, which leaves out less than 2^-44.
fn inverse(n: Twofold) -> Twofold {
  let d = (n.high - vec3f(1.0)) + n.low;
  let first = sumOf(vec3f(2.0), -n.high);
  let further = d * d * (vec3f(1.0) - d * (vec3f(1.0) - d));
  return sumOf(first.high, first.low + (further - n.low));
}
