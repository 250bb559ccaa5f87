// IEEE 754 binary64 in 32-bit integers: every operation rounds to nearest even and gives the bits that a processor's own
// float64 gives, infinities and subnormal numbers included (any NaN is F64_NAN). Integers alone, since WGSL lets float32
// be contracted, reassociated and flushed: so results are the same on every adapter.
//
// A number is a vec2u as it lies in memory: x the low word, y sign, exponent and the high bits of the significand.

alias F64 = vec2u;

const F64_ZERO = vec2u(0u, 0u);
// The neutral element of addition: -0 + x is x for every x, also for x = -0.
const F64_NEGATIVE_ZERO = vec2u(0u, 0x80000000u);
const F64_HALF = vec2u(0u, 0x3fe00000u);
const F64_ONE = vec2u(0u, 0x3ff00000u);
const F64_INFINITY = vec2u(0u, 0x7ff00000u);
const F64_NAN = vec2u(0u, 0x7ff80000u);
const F64_SIGN = 0x80000000u;

fn f64Negate(a: F64) -> F64 {
  return vec2u(a.x, a.y ^ F64_SIGN);
}

fn f64Abs(a: F64) -> F64 {
  return vec2u(a.x, a.y & 0x7fffffffu);
}

fn f64Exponent(a: F64) -> u32 {
  return (a.y >> 20u) & 0x7ffu;
}

fn f64IsNan(a: F64) -> bool {
  return (a.y & 0x7fffffffu) + select(0u, 1u, a.x != 0u) > 0x7ff00000u;
}

fn f64IsZero(a: F64) -> bool {
  return ((a.y << 1u) | a.x) == 0u;
}

// a < b; false where either is NaN.
fn f64Less(a: F64, b: F64) -> bool {
  // Ordered like the numbers, but for the two zeros.
  let ka = a ^ select(vec2u(0u, F64_SIGN), vec2u(0xffffffffu), a.y >= F64_SIGN);
  let kb = b ^ select(vec2u(0u, F64_SIGN), vec2u(0xffffffffu), b.y >= F64_SIGN);
  let below = ka.y < kb.y || (ka.y == kb.y && ka.x < kb.x);
  return below && !(f64IsZero(a) && f64IsZero(b)) && !f64IsNan(a) && !f64IsNan(b);
}

// Shifts by constants are written as products here and there: software adapters take ten times as long over shifts.

// m << n for n < 64.
fn f64ShiftLeft(m: vec2u, n: u32) -> vec2u {
  let s = n & 31u;
  let near = vec2u(m.x << s, (m.y << s) | ((m.x >> 1u) >> (31u - s)));
  return select(near, vec2u(0u, near.x), n >= 32u);
}

// m >> n; the lowest bit is also set where any bit that falls out was.
fn f64ShiftRight(m: vec2u, n: u32) -> vec2u {
  let s = n & 31u;
  let near = vec2u((m.x >> s) | ((m.y * 2u) << (31u - s)), m.y >> s);
  let far = n >= 32u;
  let out = (select(m.x, m.y, far) * 2u) << (31u - s);
  let lost = out | select(0u, m.x, far);
  let shifted = select(near, vec2u(near.y, 0u), far);
  // From 64 on nothing is left but the trace that there was something.
  return select(vec2u(shifted.x | select(0u, 1u, lost != 0u), shifted.y), vec2u(min(m.x | m.y, 1u), 0u), n >= 64u);
}

fn f64LeadingZeros(m: vec2u) -> u32 {
  let upper = m.y != 0u;
  return countLeadingZeros(select(m.x, m.y, upper)) + select(32u, 0u, upper);
}

// Rounds m / 2^63 * 2^(e - 1023), e from 1; bit 63 of m is clear only for results below the least normal number, with
// e = 1.
fn f64Pack(sign: u32, e: i32, m: vec2u) -> F64 {
  let up = select(0u, 1u, (m.x & 0x400u) != 0u && (m.x & 0xbffu) != 0u);
  let low = ((m.x >> 11u) | (m.y << 21u)) + up;
  // The leading bit of m adds one to the exponent, and so does a carry out of the significand.
  let high = (m.y >> 11u) + select(0u, 1u, low < up) + (u32(e - 1) << 20u);
  return select(vec2u(low, high | sign), vec2u(0u, 0x7ff00000u | sign), e >= 0x7ff);
}

// As f64Pack for any e, bit 63 of m set.
fn f64Round(sign: u32, e: i32, m: vec2u) -> F64 {
  var kept = m;
  // A loop where a condition would do: software adapters execute both sides of conditions, but no empty loops.
  for (var subnormal = e < 1; subnormal; subnormal = false) {
    kept = f64ShiftRight(m, u32(1 - e));
  }
  return f64Pack(sign, max(e, 1), kept);
}

// Significand with bit 52 set, value m / 2^52 * 2^(e - 1023), of a number that is neither 0 nor infinite nor NaN.
struct F64Parts {
  m: vec2u,
  e: i32,
}

fn f64Parts(a: F64) -> F64Parts {
  let biased = i32(f64Exponent(a));
  var m = vec2u(a.x, (a.y & 0xfffffu) | select(0u, 0x100000u, biased != 0));
  var e = max(biased, 1);
  for (var subnormal = biased == 0 && !f64IsZero(a); subnormal; subnormal = false) {
    let n = f64LeadingZeros(m) - 11u;
    m = f64ShiftLeft(m, n);
    e -= i32(n);
  }
  return F64Parts(m, e);
}

// 2 m + bit; sums cost software adapters a tenth of what shifts do.
fn f64Twice(m: vec2u, bit: u32) -> vec2u {
  return m + m + vec2u(bit, select(0u, 1u, m.x >= 0x80000000u));
}

fn f64Add(a: F64, b: F64) -> F64 {
  let aHigh = a.y & 0x7fffffffu;
  let bHigh = b.y & 0x7fffffffu;
  let swap = aHigh < bHigh || (aHigh == bHigh && a.x < b.x);
  let large = select(a, b, swap);
  let small = select(b, a, swap);
  let eLarge = f64Exponent(large);
  let eSmall = f64Exponent(small);
  // Ten bits below the last one, and one above the first for a carry.
  let hiddenLarge = select(0u, 0x40000000u, eLarge != 0u);
  let hiddenSmall = select(0u, 0x40000000u, eSmall != 0u);
  let mLarge = vec2u(large.x * 0x400u, ((large.y * 0x400u) & 0x3fffffffu) | (large.x >> 22u) | hiddenLarge);
  let mSmall = vec2u(small.x * 0x400u, ((small.y * 0x400u) & 0x3fffffffu) | (small.x >> 22u) | hiddenSmall);
  let e = max(eLarge, 1u);
  let near = f64ShiftRight(mSmall, e - max(eSmall, 1u));
  let subtract = ((a.y ^ b.y) & F64_SIGN) != 0u;
  let flip = select(0u, 0xffffffffu, subtract);
  let one = select(0u, 1u, subtract);
  let addend = (near ^ vec2u(flip)) + vec2u(one, select(0u, one, near.x == 0u));
  let low = mLarge.x + addend.x;
  let sum = vec2u(low, mLarge.y + addend.y + select(0u, 1u, low < addend.x));
  let n = min(f64LeadingZeros(sum), e);
  let packed = f64Pack(large.y & F64_SIGN, i32(e + 1u - n), f64ShiftLeft(sum, n & 63u));
  // Equal numbers of opposite signs give +0.
  let zero = vec2u(0u, a.y & b.y & F64_SIGN);
  let finite = select(packed, zero, (sum.x | sum.y) == 0u);
  let opposite = subtract && eSmall == 0x7ffu;
  return select(finite, select(large, F64_NAN, f64IsNan(large) || opposite), eLarge == 0x7ffu);
}

fn f64Sub(a: F64, b: F64) -> F64 {
  return f64Add(a, f64Negate(b));
}

fn f64Multiply(a: F64, b: F64) -> F64 {
  let p = f64Parts(a);
  let q = f64Parts(b);
  // 53 bits in four digits of 14: sums of four products of digits fit 32 bits.
  let a0 = p.m.x & 0x3fffu;
  let a1 = ((p.m.x >> 14u) | (p.m.y * 0x40000u)) & 0x3fffu;
  let a2 = ((p.m.x >> 28u) | (p.m.y * 0x10u)) & 0x3fffu;
  let a3 = p.m.y >> 10u;
  let b0 = q.m.x & 0x3fffu;
  let b1 = ((q.m.x >> 14u) | (q.m.y * 0x40000u)) & 0x3fffu;
  let b2 = ((q.m.x >> 28u) | (q.m.y * 0x10u)) & 0x3fffu;
  let b3 = q.m.y >> 10u;
  let c0 = a0 * b0;
  let c1 = a0 * b1 + a1 * b0 + (c0 >> 14u);
  let c2 = a0 * b2 + a1 * b1 + a2 * b0 + (c1 >> 14u);
  let c3 = a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + (c2 >> 14u);
  let c4 = a1 * b3 + a2 * b2 + a3 * b1 + (c3 >> 14u);
  let c5 = a2 * b3 + a3 * b2 + (c4 >> 14u);
  let c6 = a3 * b3 + (c5 >> 14u);
  // The product's upper 64 bits, its lower 42 as a trace in the last one.
  let trace = select(0u, 1u, ((c0 | c1 | c2) & 0x3fffu) != 0u);
  let low = (c3 & 0x3fffu) | ((c4 & 0x3fffu) * 0x4000u) | (c5 * 0x10000000u) | trace;
  let high = ((c5 & 0x3fffu) >> 4u) | (c6 * 0x400u);
  let product = vec2u(low, high);
  let carry = high >= 0x80000000u;
  let m = select(f64Twice(product, 0u), product, carry);
  let sign = (a.y ^ b.y) & F64_SIGN;
  let finite = f64Round(sign, p.e + q.e - select(1023, 1022, carry), m);
  let zero = f64IsZero(a) || f64IsZero(b);
  let infinite = f64Exponent(a) == 0x7ffu || f64Exponent(b) == 0x7ffu;
  let nan = f64IsNan(a) || f64IsNan(b) || (zero && infinite);
  let special = select(vec2u(0u, sign | select(0u, 0x7ff00000u, infinite)), F64_NAN, nan);
  return select(finite, special, zero || infinite);
}

// Quotient bit by bit: 56 of them, and whether there is a rest.
fn f64Divide(a: F64, b: F64) -> F64 {
  let p = f64Parts(a);
  let q = f64Parts(b);
  let divisor = q.m;
  var rest = p.m;
  var quotient = vec2u(0u);
  for (var i = 0u; i < 56u; i++) {
    let low = rest.x - divisor.x;
    let high = rest.y - divisor.y - select(0u, 1u, rest.x < divisor.x);
    // The rest is below twice the divisor, so the difference's sign bit tells which is larger.
    let fits = high < F64_SIGN;
    rest = f64Twice(select(rest, vec2u(low, high), fits), 0u);
    quotient = f64Twice(quotient, select(0u, 1u, fits));
  }
  // Bit 55 is the integer bit, or 0 where p < q.
  let short = 1u - ((quotient.y >> 23u) & 1u);
  let exact = f64ShiftLeft(quotient, 8u + short);
  let m = vec2u(exact.x | min(rest.x | rest.y, 1u), exact.y);
  let sign = (a.y ^ b.y) & F64_SIGN;
  let finite = f64Round(sign, p.e - q.e + 1023 - i32(short), m);
  let aInfinite = f64Exponent(a) == 0x7ffu;
  let bInfinite = f64Exponent(b) == 0x7ffu;
  let aZero = f64IsZero(a);
  let bZero = f64IsZero(b);
  let nan = f64IsNan(a) || f64IsNan(b) || (aZero && bZero) || (aInfinite && bInfinite);
  let infinite = aInfinite || bZero;
  let special = select(vec2u(0u, sign | select(0u, 0x7ff00000u, infinite)), F64_NAN, nan);
  return select(finite, special, infinite || bInfinite || aZero);
}

// Root bit by bit: 55 of them, and whether there is a rest.
fn f64Sqrt(a: F64) -> F64 {
  let p = f64Parts(a);
  // The radicand is in 1 .. 4 for an even power of two: at bit 62 or 63, two bits of it per bit of the root.
  let odd = u32(p.e & 1);
  var radicand = f64ShiftLeft(p.m, 11u - odd);
  var rest = vec2u(0u);
  var root = vec2u(0u);
  for (var i = 0u; i < 55u; i++) {
    rest = vec2u((rest.x << 2u) | (radicand.y >> 30u), (rest.y << 2u) | (rest.x >> 30u));
    radicand = vec2u(radicand.x << 2u, (radicand.y << 2u) | (radicand.x >> 30u));
    let trial = vec2u((root.x << 2u) | 1u, (root.y << 2u) | (root.x >> 30u));
    let fits = rest.y > trial.y || (rest.y == trial.y && rest.x >= trial.x);
    let less = vec2u(rest.x - trial.x, rest.y - trial.y - select(0u, 1u, rest.x < trial.x));
    rest = select(rest, less, fits);
    root = f64Twice(root, select(0u, 1u, fits));
  }
  let exact = f64ShiftLeft(root, 9u);
  let m = vec2u(exact.x | min(rest.x | rest.y, 1u), exact.y);
  // An odd biased exponent is an even power of two.
  let finite = f64Pack(0u, (p.e - 1023 - i32(1u - odd)) / 2 + 1023, m);
  let positive = select(finite, a, f64Exponent(a) == 0x7ffu);
  let negative = a.y >= F64_SIGN || f64IsNan(a);
  return select(select(positive, F64_NAN, negative), a, f64IsZero(a));
}

// The number of an integer, exact.
fn f64FromInteger(n: i32) -> F64 {
  let size = u32(abs(n));
  let zeros = countLeadingZeros(size);
  let m = f64ShiftLeft(vec2u(0u, size), zeros & 31u);
  return select(f64Pack(u32(n) & F64_SIGN, 1054 - i32(zeros), m), F64_ZERO, n == 0);
}

// The largest integer that is not above a; the nearest i32 where that is none, 0 for NaN.
fn f64Floor(a: F64) -> i32 {
  let e = i32(f64Exponent(a)) - 1023;
  let negative = a.y >= F64_SIGN;
  // Twice the size: what falls out leaves a trace in the last bit, which is then the fraction's alone.
  let m = vec2u(a.x, (a.y & 0xfffffu) | 0x100000u);
  let twice = f64ShiftRight(m, u32(clamp(51 - e, 21, 63))).x;
  let below = select(0u, twice & 1u, negative);
  let size = i32((twice >> 1u) + below);
  let clamped = select(select(size, -size, negative), select(0x7fffffff, i32(F64_SIGN), negative), e >= 31);
  return select(clamped, 0, f64IsNan(a) || f64IsZero(a));
}

// The number of a float32's bits, exact.
fn f64FromFloat32(bits: u32) -> F64 {
  let e = (bits >> 23u) & 0xffu;
  let sign = bits & F64_SIGN;
  let fraction = bits & 0x7fffffu;
  let zeros = countLeadingZeros(fraction);
  // A subnormal number's leading bit becomes the hidden one.
  let subnormal = (fraction << ((zeros - 8u) & 31u)) & 0x7fffffu;
  let significand = select(fraction, subnormal, e == 0u);
  let exponent = select(e + 896u, 905u - zeros, e == 0u);
  let finite = vec2u(significand << 29u, sign | (exponent << 20u) | (significand >> 3u));
  let special = select(vec2u(0u, sign | 0x7ff00000u), F64_NAN, fraction != 0u);
  return select(select(finite, special, e == 0xffu), vec2u(0u, sign), (bits << 1u) == 0u);
}

// Bits of the nearest float32 (Math.fround).
fn f64ToFloat32(a: F64) -> u32 {
  let sign = a.y & F64_SIGN;
  let e = i32(f64Exponent(a)) - 896;
  // The significand at bit 30, nothing below it lost without a trace; further right for subnormal results.
  let trace = select(0u, 1u, (a.x << 10u) != 0u);
  let top = 0x40000000u | ((a.y << 10u) & 0x3ffffc00u) | (a.x >> 22u) | trace;
  let n = u32(clamp(1 - e, 0, 31));
  let kept = top >> n;
  let lost = select(0u, 1u, (kept << n) != top);
  let m = kept | lost;
  let up = select(0u, 1u, (m & 0x40u) != 0u && (m & 0xbfu) != 0u);
  let packed = (m >> 7u) + up + (u32(max(e, 1) - 1) << 23u);
  let finite = select(packed, 0x7f800000u, e >= 0xff);
  return select(sign | finite, 0x7fc00000u, f64IsNan(a));
}
