// requires convex/pair/open-list.wgsl
// requires convex/pair/statuses.wgsl
// Makes answers for pairs of bodies of the results of their convex parts. The result with the least signed distance is
// the answer; parts are taken in their order. Twin: `#store` of src/convex/cpu/pair-run.ts. Pairs that float32 leaves
// open are listed.

// Answers that are wanted of overlapping cores: only that they do, a distance of 0, or their depth.
override WANTED: u32 = 2u;
// 1 for distances that are never below 0.
override PLAIN: u32 = 0u;
// 0 where all bodies are convex: each is its own convex body, and each pair has one result. Nothing loops then:
// software adapters take longer for a kernel with loops.
override CONCAVE: u32 = 1u;
const STATUS = 0u;
const DEPTH = 2u;

// Words per answer; src/convex/gpu/pair-layout.ts has their order. Kind `intersect` has one.
const ANSWER = 12u;
const NO_PLACE = 0xffffffffu;
const NO_STATUS = 0xffu;
// Farther than anything: lengths are below 2^102. Written as infinity.
const UNKNOWN = 0x1p126;

// Bits of a bound.
fn boundBits(value: f32) -> u32 {
  let finite = bitcast<u32>(select(value, max(value, 0.0), PLAIN != 0u));
  let infinite = select(0x7f800000u, select(0xff800000u, 0u, PLAIN != 0u), value < 0.0);
  return select(finite, infinite, abs(value) >= UNKNOWN);
}

// A distance that another pair of parts may undercut, because its bounds are all that is known of it.
fn isUndercut(status: u32, other: u32, otherLower: f32, distance: f32) -> bool {
  return status == CONVERGED && other == BOUNDED && otherLower < distance;
}

// What is known of the pair so far: of the least signed distance, and where the result that has it is.
var<private> status: u32;
var<private> calls: u32;
var<private> distance: f32;
var<private> lower: f32;
var<private> upper: f32;
var<private> best: u32;

fn takeStatus(place: u32) {
  let word = results[place].w;
  calls += word >> 8u;
  let found = word & 0xffu;
  // One pair of parts that intersects is enough; one that is undecided leaves the pair so.
  if (status == NO_STATUS || status == SEPARATED || found == CONVERGED) {
    status = found;
  }
}

fn answerStatus(i: u32, first: u32, count: u32) {
  status = NO_STATUS;
  calls = 0u;
  if (CONCAVE == 0u) {
    takeStatus(first);
  } else {
    for (var place = first; place < first + count; place++) {
      takeStatus(place);
    }
  }
  answers[params.first + i] = status | (min(calls, 0xffffffu) << 8u);
  if (status == ITERATION_LIMIT) {
    leaveOpen(params.first + i);
  }
}

fn takeResult(place: u32) {
  let quad = results[RESULT * place];
  let numbers = bitcast<vec3f>(quad.xyz);
  calls += (quad.w >> 8u) & 0xffffu;
  let word = quad.w & 0xffu;
  let overlaps = word == INSIDE;
  // Kernels have no degenerate answers of their own; what they leave inside is open where its depth is wanted.
  var found = select(word, BOUNDED, word == DEGENERATE);
  found = select(found, select(CONVERGED, ITERATION_LIMIT, WANTED == DEPTH), overlaps);
  if (status == ITERATION_LIMIT || found == ITERATION_LIMIT) {
    status = ITERATION_LIMIT;
    return;
  }
  // Overlap whose depth is not wanted: `UNMEASURED_DEPTH` of src/convex/pair/pair.ts.
  let d = select(numbers.x, 0.0, overlaps);
  let low = select(numbers.y, -UNKNOWN, overlaps);
  let high = select(select(numbers.z, 0.0, overlaps), UNKNOWN, found == SEPARATED);
  // The least signed distance of all parts lies between the least bounds.
  let lowest = lower;
  lower = min(lower, low);
  upper = min(upper, high);
  if (status != NO_STATUS && !(d < distance)) {
    status = select(status, BOUNDED, isUndercut(status, found, low, distance));
    return;
  }
  status = select(found, BOUNDED, isUndercut(found, status, lowest, d));
  distance = d;
  best = place;
}

@compute @workgroup_size(GROUP)
fn pairAnswers(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= places[0]) {
    return;
  }
  let first = places[1u + i];
  var partsOfA = vec2u();
  var partsOfB = vec2u(0u, 1u);
  var count = 1u;
  if (CONCAVE != 0u) {
    // Bodies that are not there have no parts.
    let last = arrayLength(&spans) - 1u;
    let bodyPair = asked[params.first + i];
    partsOfA = spans[min(bodyPair.x, last)];
    partsOfB = spans[min(bodyPair.y, last)];
    count = partsOfA.y * partsOfB.y;
  }
  count = select(count, 0u, first == NO_PLACE);
  if (WANTED == STATUS) {
    if (count == 0u) {
      answers[params.first + i] = ITERATION_LIMIT;
      leaveOpen(params.first + i);
    } else {
      answerStatus(i, first, count);
    }
    return;
  }
  status = select(NO_STATUS, ITERATION_LIMIT, count == 0u);
  calls = 0u;
  distance = UNKNOWN;
  lower = UNKNOWN;
  upper = UNKNOWN;
  best = first;
  if (CONCAVE == 0u) {
    if (count > 0u) {
      takeResult(first);
    }
  } else {
    for (var k = 0u; k < count; k++) {
      takeResult(first + k);
    }
  }
  let isOpen = status == ITERATION_LIMIT;
  if (isOpen) {
    leaveOpen(params.first + i);
  }
  var body = partsOfA.x + (best - first) / partsOfB.y;
  if (CONCAVE == 0u) {
    body = asked[params.first + i].x;
  }
  let point = bodies[body].centre + (bodies[body].centreRest + bitcast<vec3f>(results[RESULT * best + 2u].xyz));
  // An open pair has 0: nothing is known of it. Each word is written in one place: software adapters take longer for
  // two.
  let lengths = select(vec3u(boundBits(distance), boundBits(lower), boundBits(upper)), vec3u(), isOpen);
  let normal = select(results[RESULT * best + 1u].xyz, vec3u(), isOpen);
  let pointA = select(bitcast<vec3u>(point), vec3u(), isOpen);
  let at = ANSWER * (params.first + i);
  answers[at] = lengths.x;
  answers[at + 1u] = lengths.y;
  answers[at + 2u] = lengths.z;
  answers[at + 3u] = status;
  answers[at + 4u] = normal.x;
  answers[at + 5u] = normal.y;
  answers[at + 6u] = normal.z;
  answers[at + 7u] = calls;
  answers[at + 8u] = pointA.x;
  answers[at + 9u] = pointA.y;
  answers[at + 10u] = pointA.z;
  answers[at + 11u] = 0u;
}
