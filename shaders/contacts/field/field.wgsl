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

// The word of the cell of a point in the box.
fn cellWord(shape: u32, p: vec3f) -> u32 {
  let base = SHAPE_WORDS * shape;
  let counts = vec3u(atlas[base + COUNTS], atlas[base + COUNTS + 1u], atlas[base + COUNTS + 2u]);
  let cell = min(cellOf(shape, p), counts - vec3u(1u));
  return atlas[atlas[base + CELLS] + (cell.z * counts.y + cell.y) * counts.x + cell.x];
}

// The numbers of a point's cell, not below 0.
fn cellOf(shape: u32, p: vec3f) -> vec3u {
  let base = SHAPE_WORDS * shape;
  return vec3u(max((p - vectorAt(base + ORIGIN)) / numberAt(base + CELL_SIZE), vec3f(0.0)));
}

fn isInBox(shape: u32, p: vec3f) -> bool {
  let base = SHAPE_WORDS * shape;
  return all(p >= vectorAt(base + BOX_MIN)) && all(p <= vectorAt(base + BOX_MAX));
}

// A lower bound of the distance from a point to the body; 0 where it is near or inside.
fn leastDistance(shape: u32, p: vec3f) -> f32 {
  let base = SHAPE_WORDS * shape;
  let q = clamp(p, vectorAt(base + BOX_MIN), vectorAt(base + BOX_MAX));
  let word = cellWord(shape, q);
  let cells = select(0.0, max(f32(word & REST) - BYTE_SLACK, 0.0), (word >> 30u) == OUTSIDE);
  return length(vec2f(cells * numberAt(base + CELL_SIZE), distance(p, q)));
}

// Whether that bound is above a distance. Where the box alone tells, no cell is looked at.
fn isFarther(shape: u32, p: vec3f, than: f32) -> bool {
  let base = SHAPE_WORDS * shape;
  let q = clamp(p, vectorAt(base + BOX_MIN), vectorAt(base + BOX_MAX));
  return distance(p, q) > than || leastDistance(shape, p) > than;
}

// What a point of a mixed cell is: 0 outside, 1 inside, 2 open. `rest` is that of the cell's word.
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
