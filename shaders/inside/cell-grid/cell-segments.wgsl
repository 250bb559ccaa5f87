// The second half of the cell grid: for every listed point in a mixed cell, the crossings of the segment from the
// cell's reference point to the point with the triangles near the cell.
//
// With b = M (p - r), M = [a - r, b - r, c - r]^-1, the segment crosses where min(b0, b1, b2, b0 + b1 + b2 - 1) > 0.
// Each pair carries the bound on that minimum's forward error (docs/cell-grid.md); a point with a minimum inside the
// bound is appended to the list that the host settles exactly. Where the pairs are cut into parts, each part is a pass
// of its own, for the points of its cells.

// Whether winding numbers are asked for in place of flags.
override WINDINGS = false;
// In place of a winding number that is doubtful, or that no byte holds.
const UNKNOWN_BYTE = 128u;

// What is written for a point: its flag, or its winding number as a byte.
fn resultOf(winding: i32, isDoubtful: bool) -> u32 {
  if (WINDINGS) {
    return select(UNKNOWN_BYTE, u32(winding) & 255u, !isDoubtful && abs(winding) < 128);
  }
  return select(u32(winding & 1), select(0u, 1u, winding != 0), params.nonzero != 0u);
}

// Adds the result of point n, in the mixed cell of that rank.
fn test(n: u32, rank: u32) {
  let reference = references[rank];
  let point = points[n];
  let d = vec3f(point.x, point.y, point.z) - reference.xyz;
  let end = starts[rank + 1u] - params.firstPair;
  var winding = i32(reference.w);
  var isDoubtful = false;
  for (var p = starts[rank] - params.firstPair; p < end; p++) {
    let pair = pairs[p];
    let b0 = pair.m00 * d.x + pair.m01 * d.y + pair.m02 * d.z;
    let b1 = pair.m10 * d.x + pair.m11 * d.y + pair.m12 * d.z;
    let b2 = pair.m20 * d.x + pair.m21 * d.y + pair.m22 * d.z;
    let signedBound = pair.signedBound;
    let beyond = b0 + b1 + b2 - 1.0;
    let low = select(b0, b1, b1 < b0);
    let high = select(b2, beyond, beyond < b2);
    let least = select(low, high, high < low);
    isDoubtful = isDoubtful || abs(least) <= abs(signedBound);
    winding += select(0, select(1, -1, signedBound < 0.0), least > 0.0);
  }
  let result = resultOf(winding, isDoubtful);
  if (result != 0u) {
    atomicOr(&packed[n / 4u], result << (8u * (n % 4u)));
  }
  if (isDoubtful) {
    let place = atomicAdd(&doubtful.count, 1u);
    doubtful.numbers[place] = n;
  }
}

@compute @workgroup_size(GROUP)
fn cellSegments(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  // Fewer threads than there may be points: a group without any costs a software adapter as much as one with some.
  let threads = groups.x * groups.y * GROUP;
  let count = mixedPoints.count;
  for (var listed = id.x + id.y * groups.x * GROUP; listed < count; listed += threads) {
    let entry = mixedPoints.entries[listed];
    if (entry.y < params.firstRank || entry.y >= params.endRank) {
      continue;
    }
    test(entry.x, entry.y);
  }
}
