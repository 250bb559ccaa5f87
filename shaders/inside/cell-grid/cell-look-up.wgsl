// The first half of the cell grid: flags of points whose cell is wholly outside or inside, or their winding numbers,
// four points a thread, and a compact list of the points in mixed cells for the second half (cell-segments.wgsl).
// Points with a coordinate that is no finite number are doubtful.

const POINTS = 4u;
// A reference with this in place of its winding names the block that refines its cell.
const REFINED = 1073741824.0;
// Bits of the exponent; all are set where a number is infinite or none.
const EXPONENT = 0x7f800000u;
// Most blocks that a point passes, one in the other.
override LEVELS = 0u;
// Entries of the table of words per 16 cells: 3 where their winding numbers follow, a byte each.
override STRIDE = 1u;

// The number of a cell along one axis. Rounding moves it by less than the margin that cells are grown by.
fn cellNumber(x: f32, origin: f32, inverse: f32, count: u32) -> u32 {
  return min(u32(max((x - origin) * inverse, 0.0)), count - 1u);
}

// The status of a cell, what is written for its points if it is not mixed, and its number among the mixed cells if it
// is.
struct Status {
  code: u32,
  result: u32,
  rank: u32,
}

fn statusOf(firstWord: u32, index: u32) -> Status {
  let at = STRIDE * (firstWord + (index >> 4u));
  let entry = words[at];
  let shift = (index & 15u) << 1u;
  let code = (entry.x >> shift) & 3u;
  var result = code;
  if (STRIDE > 1u) {
    let windings = words[at + 1u + ((index >> 3u) & 1u)];
    result = (select(windings.x, windings.y, (index & 4u) != 0u) >> ((index & 3u) << 3u)) & 255u;
  }
  return Status(code, result, entry.y + countOneBits(entry.x & ((1u << shift) - 1u) & 0xaaaaaaaau));
}

// Status and number of the cell of point n of so many; status and result 0 outside the box, past the last point, and
// where a coordinate is not finite.
fn look(n: u32, count: u32) -> Status {
  let stored = points[min(n, count - 1u)];
  let bits = vec3u(stored.x, stored.y, stored.z);
  let p = bitcast<vec3f>(bits);
  let isFinite = all((bits & vec3u(EXPONENT)) != vec3u(EXPONENT));
  if (!isFinite && n < count) {
    doubtful.numbers[atomicAdd(&doubtful.count, 1u)] = n;
  }
  let inBox = isFinite && n < count && all(p >= params.boxMin) && all(p <= params.boxMax);
  let cell = vec3u(
    cellNumber(p.x, params.boxMin.x, params.inverse, params.counts.x),
    cellNumber(p.y, params.boxMin.y, params.inverse, params.counts.y),
    cellNumber(p.z, params.boxMin.z, params.inverse, params.counts.z),
  );
  var status = statusOf(0u, (cell.z * params.counts.y + cell.y) * params.counts.x + cell.x);
  for (var level = 0u; level < LEVELS; level++) {
    // Cells that are not mixed have no reference.
    let reference = references[select(0u, status.rank, status.code >= 2u)];
    if (status.code < 2u || reference.w != REFINED) {
      break;
    }
    let block = blocks[u32(reference.x)];
    let fine = vec3u(
      cellNumber(p.x, block.origin.x, block.inverse, block.count),
      cellNumber(p.y, block.origin.y, block.inverse, block.count),
      cellNumber(p.z, block.origin.z, block.inverse, block.count),
    );
    status = statusOf(block.firstWord, (fine.z * block.count + fine.y) * block.count + fine.x);
  }
  return Status(select(0u, status.code, inBox), select(0u, status.result, inBox), status.rank);
}

@compute @workgroup_size(GROUP)
fn cellLookUp(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = id.x + id.y * groups.x * GROUP;
  let wanted = select(params.points, counted[params.countAt], params.isCounted != 0u);
  let count = min(wanted, params.points);
  if (thread == 0u) {
    doubtful.needed = wanted;
    doubtful.room = params.points;
  }
  let n = thread * POINTS;
  if (n >= count) {
    return;
  }
  let a = look(n, count);
  let b = look(n + 1u, count);
  let c = look(n + 2u, count);
  let d = look(n + 3u, count);
  // Status 2 and 3 are mixed cells, whose result is left 0 here.
  let mixed = vec4u(a.code, b.code, c.code, d.code) >> vec4u(1u);
  let results = vec4u(a.result, b.result, c.result, d.result) & (mixed - vec4u(1u));
  packed[thread] = results.x | (results.y << 8u) | (results.z << 16u) | (results.w << 24u);
  let found = mixed.x + mixed.y + mixed.z + mixed.w;
  if (found == 0u) {
    return;
  }
  let place = atomicAdd(&mixedPoints.count, found);
  if (mixed.x != 0u) {
    mixedPoints.entries[place] = vec2u(n, a.rank);
  }
  if (mixed.y != 0u) {
    mixedPoints.entries[place + mixed.x] = vec2u(n + 1u, b.rank);
  }
  if (mixed.z != 0u) {
    mixedPoints.entries[place + mixed.x + mixed.y] = vec2u(n + 2u, c.rank);
  }
  if (mixed.w != 0u) {
    mixedPoints.entries[place + found - 1u] = vec2u(n + 3u, d.rank);
  }
}
