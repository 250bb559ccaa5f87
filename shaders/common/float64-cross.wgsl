// Products of vectors of three float64. Loops over components rather than written out: compilers put every call of an
// operation in place, and a loop is one call.
// requires common/float64

alias F64Vector = array<F64, 3>;

// The next of three, cyclic.
fn next3(k: u32) -> u32 {
  return select(k + 1u, 0u, k == 2u);
}

// product = u x v; the absolute values of the six products are added to `sums`, in order.
fn f64Cross(
  u: ptr<function, F64Vector>,
  v: ptr<function, F64Vector>,
  product: ptr<function, F64Vector>,
  sums: ptr<function, F64Vector>,
) {
  for (var k = 0u; k < 3u; k++) {
    var i = next3(k);
    var j = next3(i);
    var difference = F64_NEGATIVE_ZERO;
    var sum = (*sums)[k];
    for (var minus = 0u; minus < 2u; minus++) {
      let term = f64Multiply((*u)[i], (*v)[j]);
      difference = f64Add(difference, vec2u(term.x, term.y ^ (minus << 31u)));
      sum = f64Add(sum, f64Abs(term));
      let other = i;
      i = j;
      j = other;
    }
    (*product)[k] = difference;
    (*sums)[k] = sum;
  }
}
