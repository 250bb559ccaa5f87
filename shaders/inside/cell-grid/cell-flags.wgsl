// Flags of points on the cell grid, four points a thread: a look-up where the point's cell is wholly outside or inside,
// else the crossings of the segment from the cell's reference point to the point with the triangles near the cell.
//
// With b = M (p - r), M = [a - r, b - r, c - r]^-1, the segment crosses where min(b0, b1, b2, b0 + b1 + b2 - 1) > 0. Each
// pair carries the bound on that minimum's forward error (docs/cell-grid.md); a point with a minimum inside the bound is
// appended to the list that the host settles exactly.

const GROUP = 64u;
const POINTS = 4u;
const PAIR_FLOATS = 10u;

// The number of a cell along one axis. Off by one near its ends at most by the margin that cells are grown by.
fn cellNumber(x: f32, origin: f32, count: u32) -> u32 {
  return min(u32(max((x - origin) * params.inverse, 0.0)), count - 1u);
}

@compute @workgroup_size(GROUP)
fn cellFlags(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  var packed4 = 0u;
  for (var q = 0u; q < POINTS; q++) {
    let n = min(thread * POINTS + q, params.points - 1u);
    let p = vec3f(points[3u * n], points[3u * n + 1u], points[3u * n + 2u]);
    let inBox = all(p >= params.boxMin) && all(p <= params.boxMax);
    let cell = vec3u(
      cellNumber(p.x, params.boxMin.x, params.counts.x),
      cellNumber(p.y, params.boxMin.y, params.counts.y),
      cellNumber(p.z, params.boxMin.z, params.counts.z),
    );
    let index = (cell.z * params.counts.y + cell.y) * params.counts.x + cell.x;
    let entry = words[index >> 4u];
    let shift = (index & 15u) << 1u;
    let code = (entry.x >> shift) & 3u;
    let mixed = inBox && code >= 2u;
    let rank = select(0u, entry.y + countOneBits(entry.x & ((1u << shift) - 1u) & 0xaaaaaaaau), mixed);

    // No pairs to test outside mixed cells: a loop of no rounds instead of a condition (docs/ray-crossing.md).
    let reference = references[rank];
    let end = select(0u, starts[rank + 1u], mixed) * PAIR_FLOATS;
    let d = p - reference.xyz;
    var winding = i32(reference.w);
    var doubtful = false;
    for (var at = select(0u, starts[rank], mixed) * PAIR_FLOATS; at < end; at += PAIR_FLOATS) {
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
    let tested = select(u32(winding & 1), select(0u, 1u, winding != 0), params.nonzero != 0u);
    packed4 |= select(0u, select(code, tested, mixed), inBox) << (8u * q);
    for (var rounds = select(0u, 1u, doubtful && thread * POINTS + q < params.points); rounds > 0u; rounds--) {
      let place = atomicAdd(&uncertain.count, 1u);
      uncertain.points[place] = n;
    }
  }
  packed[thread] = packed4;
}
