// requires convex/pair/lists.wgsl
// requires convex/gjk/tetrahedron.wgsl
// Gilbert-Johnson-Keerthi on the cores of two shapes: L. Olvang (2010), algorithms 1, 4 and 5. Twins:
// src/convex/gjk/gjk-loop.ts and, for what follows from its ends, src/convex/epa/gjk-epa.ts. The kernel that requires
// this file has `reduceSimplex`, one of the sub-algorithms.
//
// Two bounds hold at every step. The point v of the simplex is in A - B, so the cores are at most |v| apart. All of
// A - B lies behind the support plane in direction n, so the cores are at least -n . w apart. n is the direction of -v.
// Where v lies on a triangle, n is the triangle's normal instead: v is a sum and loses digits there, the normal does
// not. What float32 leaves uncertain ends as ITERATION_LIMIT.

// What is wanted of cores that overlap: only that they do, a distance of 0, or their depth.
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
// Twice the area, squared, below which three points span no plane, for instance because two of them are the same.
// `isBetween` asks for at least 2^6 times as much: as heights are below the size, twice the area has to be
// 8 (TOUCHING + SUPPORT_ERROR)^2 times the size's square.
const NO_PLANE = 0x1p-60;

// Three points of A - B, with their points on A. A simplex of fewer points has one of them in several places.
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
  // From the origin to the point, of any length. The next support point is the one in the opposite direction.
  direction: vec3f,
  // Whether the tetrahedron of the three old points and the new one holds the origin for certain.
  inside: bool,
}

// Direction to begin with: the given normal, or towards B's centre where the normal is 0.
fn startDirection(warmNormal: vec3f) -> vec3f {
  let known = dot(warmNormal, warmNormal);
  // `turn` takes vectors from A's frame to the world's; its conjugate takes them back.
  let conjugate = vec4f(-pair.turn.xyz, pair.turn.w);
  let warm = turned(warmNormal, conjugate, 2.0 / dot(pair.turn, pair.turn));
  var n = select(pair.offset, warm, known > 0.5 && known < 2.0);
  let squared = dot(n, n);
  // Where centres coincide, any direction will do. Squares of shorter offsets would underflow.
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

  var warmNormal = vec3f(0.0);
  if (params.hasNormals != 0u) {
    warmNormal = bitcast<vec3f>(results[select(RESULT * place + 1u, place, WANTED == STATUS)].xyz);
  }
  var n = startDirection(warmNormal);
  let none = vec3f(0.0);
  var simplex = Simplex(none, none, none, none, none, none);
  var weights = vec3f(1.0, 0.0, 0.0);
  var upper = BEYOND_ALL;
  var low = -BEYOND_ALL;
  var newestW = vec3f(0.0);
  var newestA = vec3f(0.0);
  var inside = false;
  // Where the origin is as good as on a triangle of the simplex: the support point on one side, and how far both reach.
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
    // Certain which side of the margins the distance is on, and which side of the reach.
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
    let closeEnough = (width <= resolution) | (certain & (width <= gap));
    let stuck = held | (stalls > MOST_STALLS) | (step >= MOST_STEPS);
    if ((low > limit) | closeEnough | stuck) {
      // A plane that climbing found proves nothing, so the next round looks at all vertices.
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
    // The search on both sides ends with support planes too, so it must not climb.
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

// True if the origin is for certain in the double pyramid over the triangle with this height on both sides; the origin
// lies next to the triangle's point with these weights. Take a cone over a disc of radius r whose tip has the height h
// and lies up to two sizes to the side. Its surface is r h / (sqrt(5) size) away from the disc's centre. The origin is
// no farther from that centre than the touching distance and the error of support points.
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
