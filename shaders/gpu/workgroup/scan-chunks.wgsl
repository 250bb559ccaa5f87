// requires common/group-scan.wgsl
// Scan, in the middle: the sum of every chunk becomes that of the chunks before it, and the sum of all stands behind them.

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
