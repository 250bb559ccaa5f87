// Scan, second step: replaces the sum of every chunk by the sum of all chunks before it. The total goes behind them.

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
