// The second half of the cell grid: for every listed point in a mixed cell, the crossings of the segment from the cell's
// reference point to the point with the triangles near the cell.
//
// With b = M (p - r), M = [a - r, b - r, c - r]^-1, the segment crosses where min(b0, b1, b2, b0 + b1 + b2 - 1) > 0. Each
// pair carries the bound on that minimum's forward error (docs/cell-grid.md); a point with a minimum inside the bound is
// appended to the list that the host settles exactly. Where the pairs are cut into parts, each part is a pass of its own, for
// the points of its cells.

const GROUP = 64u;
const PAIR_FLOATS = 10u;

@compute @workgroup_size(GROUP)
fn cellSegments(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let listed = id.x + id.y * groups.x * GROUP;
  if (listed >= mixedPoints.count) {
    return;
  }
  let entry = mixedPoints.entries[listed];
  if (entry.y < params.firstRank || entry.y >= params.endRank) {
    return;
  }
  let n = entry.x;
  let reference = references[entry.y];
  let d = vec3f(points[3u * n], points[3u * n + 1u], points[3u * n + 2u]) - reference.xyz;
  let end = (starts[entry.y + 1u] - params.firstPair) * PAIR_FLOATS;
  var winding = i32(reference.w);
  var doubtful = false;
  for (var at = (starts[entry.y] - params.firstPair) * PAIR_FLOATS; at < end; at += PAIR_FLOATS) {
    let b0 = pairs[at] * d.x + pairs[at + 1u] * d.y + pairs[at + 2u] * d.z;
    let b1 = pairs[at + 3u] * d.x + pairs[at + 4u] * d.y + pairs[at + 5u] * d.z;
    let b2 = pairs[at + 6u] * d.x + pairs[at + 7u] * d.y + pairs[at + 8u] * d.z;
    let signedBound = pairs[at + 9u];
    let beyond = b0 + b1 + b2 - 1.0;
    let low = select(b0, b1, b1 < b0);
    let high = select(b2, beyond, beyond < b2);
    let least = select(low, high, high < low);
    doubtful = doubtful || abs(least) <= abs(signedBound);
    winding += select(0, select(1, -1, signedBound < 0.0), least > 0.0);
  }
  let inside = select(u32(winding & 1), select(0u, 1u, winding != 0), params.nonzero != 0u);
  if (inside != 0u) {
    atomicOr(&packed[n / 4u], 1u << (8u * (n % 4u)));
  }
  if (doubtful) {
    let place = atomicAdd(&uncertain.count, 1u);
    uncertain.points[place] = n;
  }
}
