// A difference of whole cells and fractions, in cells. Its amount is exact before it is rounded to a float. A sum of
// floats of both signs would lose the digits of the smaller one.
fn cellsBetween(cellA: i32, fractionA: u32, cellB: i32, fractionB: u32) -> f32 {
  var fraction = fractionB - fractionA;
  var whole = cellB - cellA - select(0, 1, fractionB < fractionA);
  let isBelow = whole < 0;
  if (isBelow) {
    whole = -whole - select(0, 1, fraction != 0u);
    fraction = 0u - fraction;
  }
  let amount = f32(whole) + f32(fraction) * 0x1p-32f;
  return select(amount, -amount, isBelow);
}

// The way from place A to place B, in cells.
fn wayInCells(cellA: vec3i, fractionA: vec3u, cellB: vec3i, fractionB: vec3u) -> vec3f {
  return vec3f(
    cellsBetween(cellA.x, fractionA.x, cellB.x, fractionB.x),
    cellsBetween(cellA.y, fractionA.y, cellB.y, fractionB.y),
    cellsBetween(cellA.z, fractionA.z, cellB.z, fractionB.z),
  );
}
