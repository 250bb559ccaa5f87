// requires convex/pair/lists.wgsl
// requires convex/gjk/tetrahedron.wgsl
// Gilbert-Johnson-Keerthi on the cores of two shapes: L. Olvang (2010), algorithms 1, 4 and 5. Twin: src/convex/gjk/gjk-loop.ts, with what
// src/convex/epa/gjk-epa.ts makes of its ends. The kernel that requires this has `reduceSimplex`, one of the sub-algorithms.
//
// Two bounds stand at every step: v, a point of the simplex, is in A - B, so the cores are no farther apart than |v|; and the support
// plane in direction n has all of A - B behind it, so they are no nearer than -n . w. n is that of -v, or better: where v lies on
// a triangle its normal, which keeps its digits where v, a sum, loses them. What float32 leaves uncertain ends as ITERATION_LIMIT.

// What is wanted of overlapping cores: that they do, a distance of 0, or their depth.
override WANTED: u32 = 2u;
const STATUS = 0u;
const DEPTH = 2u;

// All relative to the pair's size; src/constants.ts has the reasons.
override TOUCHING: f32 = 0x1.cp-16;
override RESOLUTION: f32 = 0x1p-20;
override MOST_STEPS: u32 = 64u;
override MOST_STALLS: u32 = 4u;

// Farther than any pair's size in its unit, 7.5 at most.
const BEYOND_ALL = 16.0;
// Square of twice the area below which three points span no plane, as where one is held several times. `isBetween` asks for 2^6 times as
// much: with heights below the size it needs an area of (TOUCHING + SUPPORT_ERROR)^2 * 8 times its square.
const NO_PLANE = 0x1p-60;

// Three points of A - B, with their points on A; the same point in several places where there are fewer.
struct Simplex {
  w1: vec3f,
  w2: vec3f,
  w3: vec3f,
  a1: vec3f,
  a2: vec3f,
  a3: vec3f,
}

// The point of a simplex that is nearest to the origin.
struct Nearest {
  // Weights of the three places that the simplex has now.
  weights: vec3f,
  // From the origin to the point, of any length: where the next support point is to be asked for, turned round.
  direction: vec3f,
  // The tetrahedron of the three places before and the new point holds the origin, for certain.
  inside: bool,
}

// Direction to begin with: the normal that is given, or towards B's centre where that is 0.
fn startDirection(warmNormal: vec3f) -> vec3f {
  let known = dot(warmNormal, warmNormal);
  // A pose as a pair sees it turns vectors from A's frame; back goes the conjugate.
  let conjugate = vec4f(-pair.turn.xyz, pair.turn.w);
  let warm = turned(warmNormal, conjugate, 2.0 / dot(pair.turn, pair.turn));
  var n = select(pair.offset, warm, known > 0.5 && known < 2.0);
  let squared = dot(n, n);
  // Centres that coincide: any direction. Shorter ones would underflow, and are as good as none.
  n = select(vec3f(1.0, 0.0, 0.0), n * inverseSqrt(squared), squared > 0x1p-80);
  return n;
}

fn answerPair(slot: u32) {
  let entry = pairAt(slot);
  let place = entry.place;
  placePair(entry.bodyA, entry.bodyB);
  if (pair.unit == 0.0) {
    finish(place, ITERATION_LIMIT, 0u);
    return;
  }
  let margins = pair.marginA + pair.marginB;
  let touching = TOUCHING * pair.size;
  let resolution = RESOLUTION * pair.size;
  let gap = select(resolution, params.tolerance * pair.size, params.tolerance > RESOLUTION);
  // A reach of many units is none.
  let reach = select(BEYOND_ALL, params.reach / pair.unit, params.reach < BEYOND_ALL * pair.unit);
  let limit = reach + margins + touching;
  let within = reach + margins - touching;
  let apart = margins + touching;
  let overlapping = margins - touching;
  let climbs = canClimb(pair.recordA, KIND_A) || canClimb(pair.recordB, KIND_B);

  var n = startDirection(bitcast<vec3f>(results[select(RESULT * place + 1u, place, WANTED == STATUS)].xyz));
  let none = vec3f(0.0);
  var simplex = Simplex(none, none, none, none, none, none);
  var weights = vec3f(1.0, 0.0, 0.0);
  var upper = BEYOND_ALL;
  var low = -BEYOND_ALL;
  var newestW = vec3f(0.0);
  var newestA = vec3f(0.0);
  var inside = false;
  // Where the origin is as good as on a triangle of the simplex: its point on one side, and how far both sides reach.
  var sides = 0u;
  var sideW = vec3f(0.0);
  var sideA = vec3f(0.0);
  var height = BEYOND_ALL;
  var stalls = 0u;
  var step = 0u;
  mayClimb = true;
  loop {
    let point = supportPoint(n);
    newestW = point.w;
    newestA = point.a;
    low = -dot(n, newestW);
    let isFirst = step == 0u;
    step++;
    let width = upper - low;
    // Which side of the margins, and of the reach.
    let certain = ((low > apart) & (upper < within)) | (upper < overlapping);
    let held = !isFirst & (all(newestW == simplex.w1) | all(newestW == simplex.w2) | all(newestW == simplex.w3));
    if (sides > 0u) {
      height = select(height, -low, -low < height);
      if (sides == 2u) {
        break;
      }
      sides = 2u;
      sideW = newestW;
      sideA = newestA;
      n = -n;
      continue;
    }
    if ((low > limit) | (width <= resolution) | (certain & (width <= gap)) | held | (stalls > MOST_STALLS) | (step >= MOST_STEPS)) {
      // A plane from climbing proves nothing: once more, among all vertices.
      if (!climbs | !mayClimb) {
        break;
      }
      mayClimb = false;
      continue;
    }
    mayClimb = true;
    if (isFirst) {
      simplex = Simplex(newestW, newestW, newestW, newestA, newestA, newestA);
    }
    let nearest = reduceSimplex(&simplex, newestW, newestA);
    if (nearest.inside) {
      inside = true;
      break;
    }
    weights = nearest.weights;
    let v = weights.x * simplex.w1 + weights.y * simplex.w2 + weights.z * simplex.w3;
    let before = upper;
    upper = length(v);
    stalls += select(1u, 0u, upper < before);
    let isNear = upper <= touching;
    let across = cross(simplex.w2 - simplex.w1, simplex.w3 - simplex.w1);
    let isFlat = dot(across, across) < NO_PLANE;
    if ((isNear & isFlat) | ((WANTED == STATUS) & (upper < overlapping))) {
      break;
    }
    n = normalize(select(-nearest.direction, across, isNear));
    sides = select(0u, 1u, isNear);
    // What the sides end with is taken for a support plane, too.
    mayClimb = !isNear;
  }

  let between = (sides == 2u) & isBetween(simplex, weights, height);
  if (inside | between) {
    finishInside(slot, place, step, n, select(newestW, sideW, between), select(newestA, sideA, between), simplex);
    return;
  }
  if (WANTED == STATUS) {
    var status = select(ITERATION_LIMIT, SEPARATED, low > apart);
    status = select(status, CONVERGED, upper < overlapping);
    finish(place, status, step);
    return;
  }
  let error = SUPPORT_ERROR * pair.size;
  if (low > limit) {
    let bound = low - margins;
    writeResult(place, SEPARATED, step, bound, bound - error, bound, n, newestA + pair.marginA * n);
    return;
  }
  let a = weights.x * simplex.a1 + weights.y * simplex.a2 + weights.z * simplex.a3 + pair.marginA * n;
  if (WANTED != DEPTH && upper < overlapping) {
    writeResult(place, INSIDE, step, 0.0, 0.0, 0.0, n, a);
    return;
  }
  let narrow = upper - low <= gap;
  let certain = (low > apart && upper < within) || (upper < overlapping && upper > touching);
  let status = select(ITERATION_LIMIT, CONVERGED, narrow && certain);
  writeResult(place, status, step, upper - margins, low - margins - error, upper - margins + error, n, a);
}

// True if the origin, next to the point of a triangle with these weights, is for certain in the double pyramid over that triangle with
// this height on both sides. A cone over a disc of radius r with its tip at height h and up to two sizes to the side is r h / (sqrt(5) size)
// away from the disc's centre, and the origin is next to it within the touching distance and the error of support points.
fn isBetween(simplex: Simplex, weights: vec3f, height: f32) -> bool {
  let e1 = simplex.w3 - simplex.w2;
  let e2 = simplex.w1 - simplex.w3;
  let e3 = simplex.w2 - simplex.w1;
  let edges = vec3f(dot(e1, e1), dot(e2, e2), dot(e3, e3));
  let normal = cross(e1, e2);
  // Squares: of the distances from the edges, times the height, against the bound.
  let reach = height * height * dot(normal, normal) * weights * weights;
  let bound = 4.0 * (TOUCHING + SUPPORT_ERROR) * pair.size * pair.size;
  return (height > 0.0) & all(reach > bound * bound * edges);
}

fn finish(place: u32, status: u32, calls: u32) {
  if (WANTED == STATUS) {
    writeStatus(place, status, calls);
  } else {
    writeResult(place, status, calls, 0.0, 0.0, 0.0, vec3f(1.0, 0.0, 0.0), vec3f(0.0));
  }
}

// Cores that overlap, for certain.
fn finishInside(slot: u32, place: u32, calls: u32, n: vec3f, w: vec3f, a: vec3f, simplex: Simplex) {
  if (WANTED == STATUS) {
    writeStatus(place, CONVERGED, calls);
    return;
  }
  writeResult(place, INSIDE, calls, 0.0, 0.0, 0.0, n, a);
  if (WANTED == DEPTH) {
    let at = SIMPLEX * place;
    simplices[at] = vec4f(a, 4.0);
    simplices[at + 1u] = vec4f(a - w, 0.0);
    simplices[at + 2u] = vec4f(simplex.a1, 0.0);
    simplices[at + 3u] = vec4f(simplex.a1 - simplex.w1, 0.0);
    simplices[at + 4u] = vec4f(simplex.a2, 0.0);
    simplices[at + 5u] = vec4f(simplex.a2 - simplex.w2, 0.0);
    simplices[at + 6u] = vec4f(simplex.a3, 0.0);
    simplices[at + 7u] = vec4f(simplex.a3 - simplex.w3, 0.0);
    addToList(DEPTH_LIST, slot);
  }
}
