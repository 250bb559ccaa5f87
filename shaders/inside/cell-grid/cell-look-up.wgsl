// The first half of the cell grid: flags of points whose cell is wholly outside or inside, four points a thread, and a
// compact list of the points in mixed cells for the second half (cell-segments.wgsl).

const GROUP = 64u;
const POINTS = 4u;
// A reference with this in place of its winding names the block that refines its cell.
const REFINED = 1073741824.0;
// Most blocks that a point passes, one in the other.
override LEVELS = 0u;

// The number of a cell along one axis. Rounding moves it by less than the margin that cells are grown by.
fn cellNumber(x: f32, origin: f32, inverse: f32, count: u32) -> u32 {
  return min(u32(max((x - origin) * inverse, 0.0)), count - 1u);
}

// The status of a cell, and its number among the mixed cells if it is one.
struct Status {
  code: u32,
  rank: u32,
}

fn statusOf(firstWord: u32, index: u32) -> Status {
  let entry = words[firstWord + (index >> 4u)];
  let shift = (index & 15u) << 1u;
  return Status((entry.x >> shift) & 3u, entry.y + countOneBits(entry.x & ((1u << shift) - 1u) & 0xaaaaaaaau));
}

@compute @workgroup_size(GROUP)
fn cellLookUp(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  var packed4 = 0u;
  var found = 0u;
  var points4 = vec4u(0u);
  var ranks4 = vec4u(0u);
  for (var q = 0u; q < POINTS; q++) {
    let n = thread * POINTS + q;
    let at = 3u * min(n, params.points - 1u);
    let p = vec3f(points[at], points[at + 1u], points[at + 2u]);
    let inBox = n < params.points && all(p >= params.boxMin) && all(p <= params.boxMax);
    let cell = vec3u(
      cellNumber(p.x, params.boxMin.x, params.inverse, params.counts.x),
      cellNumber(p.y, params.boxMin.y, params.inverse, params.counts.y),
      cellNumber(p.z, params.boxMin.z, params.inverse, params.counts.z),
    );
    var status = statusOf(0u, (cell.z * params.counts.y + cell.y) * params.counts.x + cell.x);
    for (var level = 0u; level < LEVELS; level++) {
      let reference = references[status.rank];
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
    let mixed = inBox && status.code >= 2u;
    packed4 |= select(0u, status.code, inBox && !mixed) << (8u * q);
    points4[found] = n;
    ranks4[found] = status.rank;
    found += select(0u, 1u, mixed);
  }
  packed[thread] = packed4;
  let place = atomicAdd(&mixedPoints.count, found);
  for (var k = 0u; k < found; k++) {
    mixedPoints.entries[place + k] = vec2u(points4[k], ranks4[k]);
  }
}
