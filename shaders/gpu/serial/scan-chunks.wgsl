// Scan, in the middle: the sum of every chunk becomes that of the chunks before it, and the sum of all stands behind them.

@compute @workgroup_size(1)
fn scanChunks() {
  var sum = 0u;
  for (var chunk = 0u; chunk < params.chunks; chunk++) {
    let own = sums[chunk];
    sums[chunk] = sum;
    sum += own;
  }
  sums[params.chunks] = sum;
}
