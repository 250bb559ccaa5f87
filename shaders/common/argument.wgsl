// Sums of angles as products of numbers, four at a time, with whole turns counted apart.

// The power of two that brings a normal number into 1 .. 2.
fn inverseScale(size: vec4f) -> vec4f {
  return bitcast<vec4f>(vec4u(0x7f000000u) - (bitcast<vec4u>(size) & vec4u(0x7f800000u)));
}

// The argument of re + i im over 2 pi, -1/2 .. 1/2, off by less than 2^-20. WGSL's atan2 may be off by 4096 units in
// the last place. The series is that of Chebyshev, 2 (-1)^k (sqrt(2) - 1)^(2 k + 1) / (2 k + 1) T_(2 k + 1), to k =
// 7: the rest adds up to 4.4e-8. |re| + |im| is 1 .. 2, so neither the quotient nor its square underflows to anything
// that matters.
fn argument(re: vec4f, im: vec4f) -> vec4f {
  let width = abs(re);
  let height = abs(im);
  let steep = height > width;
  let t = select(height, width, steep) / select(width, height, steep);
  let s = t * t;
  var sum = vec4f(-0.00396025723);
  sum = sum * s + 0.0215092542;
  sum = sum * s - 0.0553816979;
  sum = sum * s + 0.096016564;
  sum = sum * s - 0.138920412;
  sum = sum * s + 0.199430812;
  sum = sum * s - 0.33329538;
  sum = sum * s + 0.999999249;
  let eighth = sum * t * 0.15915494309;
  let quarter = select(eighth, 0.25 - eighth, steep);
  let half = select(quarter, 0.5 - quarter, re < vec4f(0.0));
  return select(half, -half, im < vec4f(0.0));
}
