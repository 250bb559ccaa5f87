// requires common/group-scan.wgsl
// Scan, second step: replaces the sum of every chunk by the sum of all chunks before it. The total goes behind them.

@compute @workgroup_size(WIDE)
fn scanChunks(@builtin(local_invocation_index) local: u32) {
  let place = placeInGroup(local);
  var sum = 0u;
  for (var first = 0u; first < params.chunks; first += WIDE) {
    let chunk = first + place;
    var own = 0u;
    if (chunk < params.chunks) {
      own = sums[chunk];
    }
    let scan = scanGroup(place, own);
    if (chunk < params.chunks) {
      sums[chunk] = sum + scan.before;
    }
    sum += scan.all;
  }
  if (local == 0u) {
    sums[params.chunks] = sum;
  }
}
