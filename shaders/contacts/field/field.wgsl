// requires contacts/field/shape.wgsl
// Cells of a polyhedron's field. Twins: src/contacts/field/signed-distance.ts, src/contacts/nodes/least-distance.ts.

const OUTSIDE = 0u;
const INSIDE = 1u;
const MIXED = 2u;
const DEEP = 3u;
const REST = 0x3fffffffu;
// Words of a list before its candidates.
const LIST_HEADER = 3u;
// A cell's bound of the distance holds for its points; rounding may take others for its own.
const BYTE_SLACK = 0x1p-8f;

// The cells of a polyhedron. Loading this once spares a dozen words for each point.
struct Grid {
  // Place of the cells' first word, and the number of cells along each axis.
  cells: u32,
  counts: vec3u,
  size: f32,
  origin: vec3f,
  boxMin: vec3f,
  boxMax: vec3f,
}

fn gridOf(shape: u32) -> Grid {
  let base = SHAPE_WORDS * shape;
  let counts = vec3u(atlas[base + COUNTS], atlas[base + COUNTS + 1u], atlas[base + COUNTS + 2u]);
  return Grid(
    atlas[base + CELLS], counts, numberAt(base + CELL_SIZE), vectorAt(base + ORIGIN),
    vectorAt(base + BOX_MIN), vectorAt(base + BOX_MAX),
  );
}

// The numbers of the cell of a point in the box.
fn cellOf(grid: Grid, p: vec3f) -> vec3u {
  return min(vec3u(max((p - grid.origin) / grid.size, vec3f(0.0))), grid.counts - vec3u(1u));
}

fn wordOf(grid: Grid, cell: vec3u) -> u32 {
  return atlas[grid.cells + (cell.z * grid.counts.y + cell.y) * grid.counts.x + cell.x];
}

// The word of the cell of a point in the box.
fn cellWord(grid: Grid, p: vec3f) -> u32 {
  return wordOf(grid, cellOf(grid, p));
}

fn isInBox(grid: Grid, p: vec3f) -> bool {
  return all(p >= grid.boxMin) && all(p <= grid.boxMax);
}

// A lower bound of the distance from a point to the body; 0 where it is near or inside.
fn leastDistance(grid: Grid, p: vec3f) -> f32 {
  let q = clamp(p, grid.boxMin, grid.boxMax);
  let word = cellWord(grid, q);
  let cells = select(0.0, max(f32(word & REST) - BYTE_SLACK, 0.0), (word >> 30u) == OUTSIDE);
  return length(vec2f(cells * grid.size, distance(p, q)));
}

// True if that bound is above a distance. No cell is looked at if the box alone tells.
fn isFarther(grid: Grid, p: vec3f, than: f32) -> bool {
  return distance(p, clamp(p, grid.boxMin, grid.boxMax)) > than || leastDistance(grid, p) > than;
}

// Tells whether a point of a mixed cell is outside, 0, inside, 1, or open, 2. `rest`: lower bits of the cell's word.
fn sideByPairs(shape: u32, rest: u32, p: vec3f) -> u32 {
  let base = SHAPE_WORDS * shape;
  let rank = atlas[atlas[base + LISTS] + rest + 2u];
  let reference = atlas[base + REFERENCES] + 4u * rank;
  let d = p - vectorAt(reference);
  let starts = atlas[base + STARTS] + rank;
  var winding = u32(i32(numberAt(reference + 3u)) & 1);
  let pairs = atlas[base + PAIRS];
  let end = pairs + 10u * atlas[starts + 1u];
  for (var at = pairs + 10u * atlas[starts]; at < end; at += 10u) {
    let b0 = numberAt(at) * d.x + numberAt(at + 1u) * d.y + numberAt(at + 2u) * d.z;
    let b1 = numberAt(at + 3u) * d.x + numberAt(at + 4u) * d.y + numberAt(at + 5u) * d.z;
    let b2 = numberAt(at + 6u) * d.x + numberAt(at + 7u) * d.y + numberAt(at + 8u) * d.z;
    let least = min(min(b0, b1), min(b2, b0 + b1 + b2 - 1.0));
    let bound = abs(numberAt(at + 9u));
    if (least >= -bound) {
      if (least <= bound) {
        return 2u;
      }
      winding ^= 1u;
    }
  }
  return winding;
}
