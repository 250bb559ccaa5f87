// Sum of the chunks before one. All threads of the workgroup have to call it.
fn sumOfChunks(place: u32, local: u32, chunk: u32) -> u32 {
  var sum = 0u;
  for (var before = local; before < chunk; before += WIDE) {
    sum += sums[before];
  }
  return scanGroup(place, sum).all;
}
