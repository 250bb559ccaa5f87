// requires contacts/patches/same-place.wgsl
// The parts of patches within a ball that have contacts, in the order of their features. Twin:
// src/contacts/patches/nearest-of-patches.ts. A thread per pair.

// Roots of parts, in `part` of the first triangles, are sorted by feature, then by first triangle: a heap.
fn isBefore(one: u32, other: u32) -> bool {
  return triangles[one].feature < triangles[other].feature ||
    (triangles[one].feature == triangles[other].feature && triangles[one].first < triangles[other].first);
}

fn siftDown(first: u32, top: u32, count: u32) {
  let sinking = triangles[first + top].part;
  var at = top;
  loop {
    var child = 2u * at + 1u;
    if (child >= count) {
      break;
    }
    if (child + 1u < count && isBefore(triangles[first + child].part, triangles[first + child + 1u].part)) {
      child++;
    }
    if (!isBefore(sinking, triangles[first + child].part)) {
      break;
    }
    triangles[first + at].part = triangles[first + child].part;
    at = child;
  }
  triangles[first + at].part = sinking;
}

fn sortParts(first: u32, count: u32) {
  var top = count / 2u;
  var last = count;
  while (last > 1u) {
    // The heap is made from its end, then its greatest goes behind it.
    if (top > 0u) {
      top--;
    } else {
      last--;
      let greatest = triangles[first].part;
      triangles[first].part = triangles[first + last].part;
      triangles[first + last].part = greatest;
    }
    siftDown(first, top, last);
  }
}

// Lists the roots of parts. Returns how many they are.
fn listParts(shape: u32, first: u32, end: u32) -> u32 {
  var count = 0u;
  for (var at = first; at < end; at++) {
    if (triangles[at].parent == at) {
      triangles[first + count].part = at;
      count++;
      triangles[at].feature = patchOf(shape, triangleAt(shape, triangles[at].rank));
    }
  }
  return count;
}

// Numbers parts of one patch in the order of their first triangles. Returns whether there are several.
fn numberParts(shape: u32, first: u32, count: u32) -> bool {
  let patches = tableOf(shape, PATCH_COUNT);
  var before = NONE;
  var repeats = 0u;
  var isRepeated = false;
  for (var k = 0u; k < count; k++) {
    let root = triangles[first + k].part;
    let number = triangles[root].feature;
    repeats = select(0u, repeats + 1u, number == before);
    isRepeated = isRepeated || repeats > 0u;
    before = number;
    triangles[root].feature = number + repeats * patches;
  }
  return isRepeated;
}

// Leaves the parts that have contacts. Returns how many they are.
fn chooseParts(ball: Ball, first: u32, end: u32) -> u32 {
  let count = listParts(ball.shape, first, end);
  var isSorted = true;
  if (count > 1u) {
    sortParts(first, count);
    isSorted = !numberParts(ball.shape, first, count);
    if (!isSorted) {
      // Triangles at the border may change which triangle of a part comes first.
      for (var at = first; at < end; at++) {
        leaveOpen(triangles[at].distance > ball.radius - ball.error);
      }
    }
  }
  var kept = 0u;
  for (var k = 0u; k < count; k++) {
    let root = triangles[first + k].part;
    let isWithin = triangles[triangles[root].best].distance <= ball.radius;
    if (isWithin && (count == 1u || !isOthers(ball, root, first, end))) {
      triangles[first + kept].part = root;
      kept++;
    }
  }
  if (!isSorted) {
    sortParts(first, kept);
  }
  return kept;
}

@compute @workgroup_size(GROUP)
fn findParts(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let n = id.x + id.y * groups.x * GROUP;
  if (n >= pairCount()) {
    return;
  }
  let state = spans[params.mostPairs + n];
  if ((state & CENTRE_INSIDE) != 0u) {
    counts[params.countsAt + n] = 1u;
    return;
  }
  let room = roomOf(n);
  if (room.x == room.y) {
    return;
  }
  let ball = ballOf(pairs[n]);
  isLeftOpen = state != 0u;
  let end = listTriangles(ball, room);
  for (var edges = SURE_EDGES; edges <= POSSIBLE_EDGES; edges += POSSIBLE_EDGES - SURE_EDGES) {
    joinOver(ball, edges, room.x, end);
  }
  let count = chooseParts(ball, room.x, end);
  counts[params.countsAt + n] = count;
  spans[params.mostPairs + n] = select(0u, IS_LEFT_OPEN, isLeftOpen) | (count << STATE_BITS);
}
