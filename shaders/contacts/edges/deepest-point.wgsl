// requires contacts/edges/piece.wgsl
// The deepest point of a chord. Twin: src/contacts/edges/deepest-point.ts, which says why it is found.

const MOST_SAMPLES = 32u;
const MOST_NARROWINGS = 24u;
const MOST_TANGENTS = 8u;
// Stands for a depth beyond the tables: the search ends there.
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

// The distances of two places, each to a triangle of its own, and how fast they grow per share of the way. Compilers
// copy a function to each place that calls it.
fn distancesTo(line: Line, at: vec2f, triangles: vec2u) -> vec4f {
  var distances = vec4f();
  for (var i = 0u; i < 2u; i++) {
    let nearest = nearestOn(line.shape, triangles[i], placeOn(line, at[i]));
    distances[i] = nearest.distance;
    if (nearest.distance > 0.0) {
      distances[i + 2u] = -dot(nearest.way, line.d) / nearest.distance;
    }
  }
  return distances;
}

// A place between left and right that may be deeper than the one found so far, or -1.
fn placeDeeper(line: Line, left: Sample, right: Sample, depth: f32, tolerance: f32) -> f32 {
  if (left.triangle == right.triangle || depth >= BEYOND) {
    return -1.0;
  }
  var l = left.at;
  var r = right.at;
  // Distances to the left and the right one's triangle, at both places.
  let across = distancesTo(line, vec2f(l, r), vec2u(right.triangle, left.triangle));
  var sl = left.depth;
  var tl = across.x;
  var sr = across.y;
  var tr = right.depth;
  var next = l;
  // Where tangents at the last place cross.
  var tie = l;
  for (var narrowings = 0u; narrowings <= MOST_NARROWINGS; narrowings++) {
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
    // Every other time by tangents, or where these have not led to the tie soon, in the middle.
    next = l + (r - l) * share;
    if ((narrowings & 1u) == 1u) {
      next = select(0.5 * (l + r), tie, narrowings < MOST_TANGENTS && tie > l && tie < r);
    }
    let here = distancesTo(line, vec2f(next), vec2u(left.triangle, right.triangle));
    let closing = here.z - here.w;
    tie = select(l, next + (here.y - here.x) / closing, closing > 0.0);
    if (min(here.x, here.y) >= bound - 0.5 * tolerance) {
      return next;
    }
    if (here.x <= here.y) {
      l = next;
      sl = here.x;
      tl = here.y;
    } else {
      r = next;
      sr = here.x;
      tr = here.y;
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
