// requires contacts/edges/piece.wgsl
// The deepest point of a chord. Twin: src/contacts/edges/deepest-point.ts, which says why it is found.

const MOST_SAMPLES = 32u;
const MOST_HALVINGS = 24u;
// Of a depth beyond the tables: the search ends there.
const BEYOND = 0x1p100f;

struct Sample {
  at: f32,
  depth: f32,
  triangle: u32,
}

struct Deepest {
  at: f32,
  depth: f32,
  triangle: u32,
  // The nearest triangles just before and behind it.
  before: u32,
  behind: u32,
  isSure: bool,
}

fn sampleAt(line: Line, at: f32) -> Sample {
  let field = depthAt(line.shape, placeOn(line, at));
  return Sample(at, select(field.depth, BEYOND, field.isDeep), field.triangle);
}

fn distanceTo(line: Line, at: f32, triangle: u32) -> f32 {
  return nearestOn(line.shape, triangle, placeOn(line, at)).distance;
}

// Where between left and right it may be deeper than what was found, or -1.
fn placeDeeper(line: Line, left: Sample, right: Sample, depth: f32, tolerance: f32) -> f32 {
  if (left.triangle == right.triangle || depth >= BEYOND) {
    return -1.0;
  }
  var l = left.at;
  var r = right.at;
  // Distances to the left and the right one's triangle, at both places.
  var sl = left.depth;
  var tl = distanceTo(line, l, right.triangle);
  var sr = distanceTo(line, r, left.triangle);
  var tr = right.depth;
  var next = l;
  for (var halvings = 0u; halvings <= MOST_HALVINGS; halvings++) {
    let rise = sr - sl;
    let fall = tl - tr;
    if (rise <= 0.0 || fall <= 0.0) {
      return -1.0;
    }
    let share = clamp((tl - sl) / (rise + fall), 0.0, 1.0);
    let bound = sl + rise * share;
    if (bound <= depth + tolerance) {
      return -1.0;
    }
    next = l + (r - l) * select(share, 0.5, (halvings & 1u) == 1u);
    let s = distanceTo(line, next, left.triangle);
    let t = distanceTo(line, next, right.triangle);
    if (min(s, t) >= bound - 0.5 * tolerance) {
      return next;
    }
    if (s <= t) {
      l = next;
      sl = s;
      tl = t;
    } else {
      r = next;
      sr = s;
      tr = t;
    }
  }
  return next;
}

fn deepestOf(line: Line, first: Sample, last: Sample, tolerance: f32) -> Deepest {
  var left = first;
  var right = last;
  var found = Deepest(first.at, first.depth, first.triangle, first.triangle, last.triangle, true);
  if (last.depth > first.depth) {
    found.at = last.at;
    found.depth = last.depth;
    found.triangle = last.triangle;
  }
  for (var samples = 0u; samples < MOST_SAMPLES; samples++) {
    let next = placeDeeper(line, left, right, found.depth, tolerance);
    if (next <= left.at || next >= right.at) {
      // Done up to here: the rest of the chord is next.
      if (right.at >= last.at) {
        return found;
      }
      left = right;
      right = last;
      if (found.at == left.at) {
        found.behind = right.triangle;
      }
      continue;
    }
    let middle = sampleAt(line, next);
    if (middle.depth > found.depth) {
      found = Deepest(middle.at, middle.depth, middle.triangle, left.triangle, right.triangle, true);
    } else if (found.at == left.at) {
      found.behind = middle.triangle;
    } else if (found.at == right.at) {
      found.before = middle.triangle;
    }
    right = middle;
  }
  found.isSure = false;
  return found;
}
