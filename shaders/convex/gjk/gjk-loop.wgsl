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

// Answers that are wanted of cores that overlap: only that they do, a distance of 0, or their depth.
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
  let warm = turnedBy(conjugate, 2.0 / dot(pair.turn, pair.turn), warmNormal);
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
  // The support plane that proves most, of those that were asked for among all vertices.
  var best = vec4f(n, -BEYOND_ALL);
  var newestW = vec3f(0.0);
  var newestA = vec3f(0.0);
  var inside = false;
  // Where the origin is as good as on a line of the simplex: whether a point beside it was asked for. Where it is on a
  // triangle: on how many sides, the point on the first one, and how far the points reach.
  var beside = false;
  var sides = 0u;
  var sideW = vec3f(0.0);
  var sideA = vec3f(0.0);
  var height = 0.0;
  var stalls = 0u;
  var step = 0u;
  var isFirst = true;
  var isAgain = false;
  mayClimb = true;
  loop {
    let point = supportPoint(n);
    newestW = point.w;
    newestA = point.a;
    low = -dot(n, newestW);
    step++;
    let isProven = !climbs | !mayClimb;
    best = select(best, vec4f(n, low), isProven & (low > best.w));
    let width = upper - low;
    // Certain which side of the margins the distance is on, and which side of the reach.
    let certain = ((low > apart) & (upper < within)) | (upper < overlapping);
    let held = !isFirst & (all(newestW == simplex.w1) | all(newestW == simplex.w2) | all(newestW == simplex.w3));
    if (beside) {
      beside = false;
      simplex.w3 = newestW;
      simplex.a3 = newestA;
      let across = cross(simplex.w2 - simplex.w1, newestW - simplex.w1);
      // So flat that nothing lies beside the line.
      if (dot(across, across) < NO_PLANE) {
        break;
      }
      n = normalize(across);
      sides = 1u;
      continue;
    }
    if (sides == 1u) {
      sides = 2u;
      height = -low;
      sideW = newestW;
      sideA = newestA;
      n = -n;
      continue;
    }
    if (sides == 2u) {
      break;
    }
    let closeEnough = (width <= resolution) | (certain & (width <= gap));
    let stuck = held | (stalls > MOST_STALLS) | (step >= MOST_STEPS);
    if ((low > limit) | closeEnough | stuck) {
      // A plane that climbing found proves nothing, so the next round looks at all vertices.
      if (!isProven) {
        mayClimb = false;
        continue;
      }
      let isLost = (width > 2.0 * touching) & !(certain & (width <= gap)) & !(low > limit);
      if (isAgain | !isLost) {
        break;
      }
      // Rounding ended the search far from its end. Another start has other simplices.
      isAgain = true;
      isFirst = true;
      stalls = 0u;
      upper = BEYOND_ALL;
      n = normalize(n.yzx + vec3f(0.37, -0.21, 0.11));
      continue;
    }
    mayClimb = true;
    if (isFirst) {
      simplex = Simplex(newestW, newestW, newestW, newestA, newestA, newestA);
      isFirst = false;
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
    if ((WANTED == STATUS) & (upper < overlapping)) {
      break;
    }
    if (isNear & isFlat) {
      // Nothing is certain of a line.
      if (WANTED != DEPTH || !keepLine(&simplex)) {
        break;
      }
      n = directionAcross(simplex.w2 - simplex.w1);
      beside = true;
      mayClimb = false;
      continue;
    }
    n = normalize(select(-nearest.direction, across, isNear));
    sides = select(0u, 1u, isNear);
    // The search on both sides ends with support planes too, so it must not climb.
    mayClimb = !isNear;
  }

  let between = (sides == 2u) && isBetween(simplex, weights, min(height, -low));
  if (inside | between | ((WANTED == DEPTH) & (sides == 2u))) {
    // The tetrahedron with the point that reaches farther.
    let isFirstSide = !inside & (height > -low);
    let w = select(newestW, sideW, isFirstSide);
    finishInside(slot, place, step, best, w, select(newestA, sideA, isFirstSide), simplex, inside);
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
  let a = weights.x * simplex.a1 + weights.y * simplex.a2 + weights.z * simplex.a3;
  if (WANTED != DEPTH && upper < overlapping) {
    writeResult(place, INSIDE, step, 0.0, 0.0, 0.0, n, a);
    return;
  }
  let narrow = upper - low <= gap;
  let certain = (low > apart && upper < within) || (upper < overlapping && upper > touching);
  if (narrow && certain) {
    let distance = upper - margins;
    writeResult(place, CONVERGED, step, distance, low - margins - error, distance + error, n, a + pair.marginA * n);
    return;
  }
  // An open pair has the distance of the plane that proves most.
  let distance = best.w - margins;
  let onA = a + pair.marginA * best.xyz;
  writeResult(place, ITERATION_LIMIT, step, distance, distance - error, upper - margins + error, best.xyz, onA);
}

// Brings the ends of the longest edge of three points in one line to the places 1 and 2; false where it is no line.
fn keepLine(simplex: ptr<function, Simplex>) -> bool {
  let e1 = (*simplex).w3 - (*simplex).w2;
  let e2 = (*simplex).w1 - (*simplex).w3;
  let e3 = (*simplex).w2 - (*simplex).w1;
  let l1 = dot(e1, e1);
  let l2 = dot(e2, e2);
  let l3 = dot(e3, e3);
  if (l1 > l3 && l1 >= l2) {
    (*simplex).w1 = (*simplex).w3;
    (*simplex).a1 = (*simplex).a3;
  } else if (l2 > l3) {
    (*simplex).w2 = (*simplex).w3;
    (*simplex).a2 = (*simplex).a3;
  }
  return max(l1, max(l2, l3)) > 0.0;
}

// A unit vector across a vector.
fn directionAcross(v: vec3f) -> vec3f {
  let size = abs(v);
  let isX = size.x <= size.y && size.x <= size.z;
  let axis = select(select(vec3f(0.0, 0.0, 1.0), vec3f(0.0, 1.0, 0.0), size.y <= size.z), vec3f(1.0, 0.0, 0.0), isX);
  return normalize(cross(v, axis));
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

// Cores that overlap; for certain, or but for the touching tolerance. `best` is the plane that proves most.
fn finishInside(
  slot: u32,
  place: u32,
  calls: u32,
  best: vec4f,
  w: vec3f,
  a: vec3f,
  simplex: Simplex,
  isCertain: bool
) {
  if (WANTED == STATUS) {
    writeStatus(place, CONVERGED, calls);
    return;
  }
  writeResult(place, INSIDE, calls, 0.0, 0.0, 0.0, best.xyz, a);
  if (WANTED == DEPTH) {
    let at = SIMPLEX * place;
    simplices[at] = vec4f(a, select(0.0, 1.0, isCertain));
    simplices[at + 1u] = vec4f(a - w, best.x);
    simplices[at + 2u] = vec4f(simplex.a1, best.y);
    simplices[at + 3u] = vec4f(simplex.a1 - simplex.w1, best.z);
    simplices[at + 4u] = vec4f(simplex.a2, best.w);
    simplices[at + 5u] = vec4f(simplex.a2 - simplex.w2, 0.0);
    simplices[at + 6u] = vec4f(simplex.a3, 0.0);
    simplices[at + 7u] = vec4f(simplex.a3 - simplex.w3, 0.0);
    addToList(DEPTH_LIST, slot);
  }
}
