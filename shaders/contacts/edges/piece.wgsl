// requires contacts/field/nearest.wgsl
// requires contacts/nodes/item-frames.wgsl
// Looks one piece of an edge up in the field of a partner: places at which it may pass the surface, and the chords that
// are inside. Twins: src/contacts/edges/crossings.ts, cells-along.ts, piece-in-field.ts.
//
// A crossing is off by rounding of the piece's ends, 2^-18 of the pair's size, and by rounding of its own. Triangles
// are taken for larger by far more than that. Chords shorter than SHORTEST_CHORD are passed over: they are shallower
// than half of that.

const TRIANGLE_MARGIN = 0x1p-12f;
const SHORTEST_CHORD = 0x1p-20f;
const MOST_CROSSINGS = 16u;

// The piece, from p to p + d in the partner's frame.
struct Line {
  shape: u32,
  grid: Grid,
  p: vec3f,
  d: vec3f,
  length: f32,
}

// Places at which the line may pass the surface, in order, with the triangles there: shares of the way.
struct Crossings {
  count: u32,
  // Whether there was no room for some.
  isCut: bool,
  at: array<f32, MOST_CROSSINGS>,
  triangles: array<u32, MOST_CROSSINGS>,
}

fn placeOn(line: Line, at: f32) -> vec3f {
  return line.p + at * line.d;
}

// The piece of a side, in the partner's frame.
fn lineOf(side: Side, grid: Grid, piece: u32) -> Line {
  let words = tableOf(side.shape, PIECES) + 6u * piece;
  let p = side.inPartner.rotation * vectorAt(words) + side.inPartner.origin;
  let d = side.inPartner.rotation * (vectorAt(words + 3u) - vectorAt(words));
  return Line(side.partnerShape, grid, p, d, length(d));
}

// Whether no point of the piece can be in the body: the way from end to end through the body would be longer than the
// piece.
fn isFar(line: Line) -> bool {
  let least = leastDistance(line.grid, line.p);
  return least > 0.0 && least + leastDistance(line.grid, line.p + line.d) > 1.0001 * line.length;
}

// Share of the way at which the line passes a triangle, or -1.
fn crossingOf(line: Line, triangle: u32) -> f32 {
  let corners = tableOf(line.shape, CORNERS) + 9u * triangle;
  let a = vectorAt(corners);
  let u = vectorAt(corners + 3u) - a;
  let v = vectorAt(corners + 6u) - a;
  let normal = cross(u, v);
  let fall = -dot(normal, line.d);
  if (fall == 0.0) {
    return -1.0;
  }
  let w = line.p - a;
  let at = dot(normal, w) / fall;
  let s = cross(line.d, w);
  let x = -dot(v, s) / fall;
  let y = dot(u, s) / fall;
  let isPassed = x >= -TRIANGLE_MARGIN && y >= -TRIANGLE_MARGIN && x + y <= 1.0 + TRIANGLE_MARGIN;
  return select(-1.0, at, isPassed && at >= 0.0 && at <= 1.0);
}

fn addCrossing(found: ptr<function, Crossings>, at: f32, triangle: u32) {
  let count = (*found).count;
  for (var i = 0u; i < count; i++) {
    if ((*found).triangles[i] == triangle) {
      return;
    }
  }
  if (count == MOST_CROSSINGS) {
    (*found).isCut = true;
    return;
  }
  var i = count;
  while (i > 0u && (*found).at[max(i, 1u) - 1u] > at) {
    (*found).at[i] = (*found).at[i - 1u];
    (*found).triangles[i] = (*found).triangles[i - 1u];
    i--;
  }
  (*found).at[i] = at;
  (*found).triangles[i] = triangle;
  (*found).count = count + 1u;
}

// Finds all places at which the line may pass the surface, in the cells that it passes.
fn crossingsAlong(line: Line) -> Crossings {
  var found = Crossings(0u, false, array<f32, MOST_CROSSINGS>(), array<u32, MOST_CROSSINGS>());
  let base = SHAPE_WORDS * line.shape;
  let counts = vec3i(line.grid.counts);
  let size = line.grid.size;
  // In cells from the grid's corner.
  let start = (line.p - line.grid.origin) / size;
  let way = line.d / size;
  // A line along an axis never leaves its cells there.
  let isAlong = abs(way) < vec3f(0x1p-20f);
  let perCell = 1.0 / select(way, vec3f(1.0), isAlong);
  let toLow = -start * perCell;
  let toHigh = (vec3f(counts) - start) * perCell;
  let enter = select(min(toLow, toHigh), vec3f(0.0), isAlong);
  let leave = select(max(toLow, toHigh), vec3f(1.0), isAlong);
  let first = max(max(enter.x, enter.y), max(enter.z, 0.0));
  let last = min(min(leave.x, leave.y), min(leave.z, 1.0));
  let isBeside = isAlong & ((start < vec3f(0.0)) | (start > vec3f(counts)));
  if (first > last || any(isBeside)) {
    return found;
  }
  var cell = clamp(vec3i(floor(start + first * way)), vec3i(0), counts - vec3i(1));
  let step = select(vec3i(-1), vec3i(1), way > vec3f(0.0));
  var next = select((vec3f(cell + max(step, vec3i(0))) - start) * perCell, vec3f(0x1p40f), isAlong);
  let most = u32(counts.x + counts.y + counts.z);
  for (var passed = 0u; passed < most; passed++) {
    let word = wordOf(line.grid, vec3u(cell));
    if ((word >> 30u) == MIXED) {
      let rank = atlas[atlas[base + LISTS] + (word & REST) + 2u];
      let starts = atlas[base + STARTS] + rank;
      let triangles = atlas[base + PAIR_TRIANGLES];
      for (var i = atlas[starts]; i < atlas[starts + 1u]; i++) {
        let triangle = atlas[triangles + i];
        let at = crossingOf(line, triangle);
        if (at >= 0.0) {
          addCrossing(&found, at, triangle);
        }
      }
    }
    let axis = select(select(2u, 1u, next.y <= next.z), select(2u, 0u, next.x <= next.z), next.x <= next.y);
    if (next[axis] >= last) {
      break;
    }
    cell[axis] += step[axis];
    if (cell[axis] < 0 || cell[axis] >= counts[axis]) {
      break;
    }
    next[axis] += abs(perCell[axis]);
  }
  return found;
}

// Both ends of chord i, of those between crossings.
fn chordOf(crossings: ptr<function, Crossings>, i: u32) -> vec2f {
  let begin = select((*crossings).at[max(i, 1u) - 1u], 0.0, i == 0u);
  let end = select((*crossings).at[min(i, MOST_CROSSINGS - 1u)], 1.0, i == (*crossings).count);
  return vec2f(begin, end);
}
