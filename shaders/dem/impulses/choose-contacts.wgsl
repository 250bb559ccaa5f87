// requires dem/copies/copies.wgsl
// requires dem/forces/keys.wgsl
// requires dem/impulses/colour-states.wgsl
// requires dem/impulses/pull-area.wgsl
// Chooses few contacts of a pair instead of many, stores the memory of all, and names the pair for its colour. Twins:
// src/dem/impulses/choose-contacts.ts, `priorityOf` of src/dem/impulses/colours.ts. A thread per row.
//
// While contacts are chosen, `spare.x` of a record is its distance from those chosen; less than 0: it is one of them.

const MOST_ROWS = 8u;
const CHOSEN = -1.0f;
// Above any square of a length.
const FAR = 3e38f;
const SURE_OR_DEEP = 0x9u;

// The finalizer of MurmurHash3 (A. Appleby), word by word.
fn priorityOf(first: ContactRecord) -> u32 {
  var hash = 0u;
  let words = vec4u(bodyOf(first.bodyA), bodyOf(first.bodyB), first.parts & 0xffffu, first.parts >> 16u);
  for (var k = 0u; k < 4u; k++) {
    hash = (hash ^ words[k]) * 0x9e3779b1u;
    hash = (hash ^ (hash >> 16u)) * 0x85ebca6bu;
    hash = (hash ^ (hash >> 13u)) * 0xc2b2ae35u;
    hash ^= hash >> 16u;
  }
  return hash;
}

// Copies what a contact remembers of the last step, and what its pair does if it is the pair's first one.
fn remember(i: u32, isFirst: bool) {
  // Nothing was solved if no time passed.
  let last = select(2u, control.current, control.timeStep == 0.0) * params.contactRoom;
  let to = (1u - control.current) * params.contactRoom + i;
  let spare = records[i].spare;
  history[to].friction = vec3f();
  history[to].force = 0.0;
  history[to].rolling = vec3f();
  history[to].spare = 0.0;
  if (spare.x != NONE) {
    history[to].friction = history[last + spare.x].friction;
    history[to].force = history[last + spare.x].force;
  }
  if (isFirst && spare.y != NONE) {
    history[to].rolling = history[last + spare.y].rolling;
  }
}

fn put(row: u32, place: u32, contact: u32) {
  picks[row].contacts[place >> 2u][place & 3u] = contact;
}

@compute @workgroup_size(GROUP)
fn chooseContacts(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let row = id.x + id.y * groups.x * GROUP;
  if (control.stop != 0u || row >= params.rowRoom) {
    return;
  }
  var range = vec4u(0u);
  if (row < ranges[0].x) {
    range = ranges[1u + (1u - control.current) * params.rowRoom + row];
  }
  let count = range.y - range.x;
  let wanted = count + range.w - range.z;
  counts[row] = min(wanted, MOST_ROWS);
  picks[row].count = counts[row];
  colours[row] = ColourOfGroup(0u, NOTHING, NONE, NONE);
  if (wanted == 0u) {
    return;
  }
  let some = select(range.z, range.x, count > 0u);
  let first = records[some];
  let a = bodyOf(first.bodyA);
  let b = bodyOf(first.bodyB);
  let isMoving = vec2<bool>(constants[a].inverseMass > 0.0, constants[b].inverseMass > 0.0);
  colours[row] = ColourOfGroup(priorityOf(first), WAITS, select(NONE, a, isMoving.x), select(NONE, b, isMoving.y));
  picks[row].bodies = vec2u(a, b);
  picks[row].first = some;
  picks[row].pullArea = 0.0;
  if (params.hasCohesion != 0u) {
    picks[row].pullArea = pullArea(range.x, range.y, constants[a].curvature, constants[b].curvature);
  }
  var deepest = 0.0;
  var open = 0u;
  // The deepest one.
  var last = some;
  for (var k = 0u; k < wanted; k++) {
    let i = select(range.z + k - count, range.x + k, k < count);
    remember(i, k == 0u);
    let record = records[i];
    deepest = max(deepest, -record.distance);
    let status = (record.kindAndStatus >> 8u) & 0xffu;
    open += select(1u, 0u, ((SURE_OR_DEEP >> status) & 1u) == 1u);
    if (record.distance < records[last].distance) {
      last = i;
    }
    records[i].spare = vec2u(bitcast<u32>(FAR), NONE);
  }
  picks[row].deepest = deepest;
  picks[row].open = open;
  // For those that sum up groups in the order of their contacts.
  records[some].spare.y = row;
  if (wanted <= MOST_ROWS) {
    for (var k = 0u; k < wanted; k++) {
      put(row, k, select(range.z + k - count, range.x + k, k < count));
    }
    return;
  }
  let radiusA = select(constants[a].radius, FAR, constants[a].radius == 0.0);
  let radiusB = select(constants[b].radius, FAR, constants[b].radius == 0.0);
  let turn = params.directionShare * min(radiusA, radiusB);
  records[last].spare.x = bitcast<u32>(CHOSEN);
  for (var chosen = 1u; chosen < MOST_ROWS; chosen++) {
    let offset = records[last].offset;
    let normal = records[last].normal;
    var most = CHOSEN;
    for (var k = 0u; k < wanted; k++) {
      let i = select(range.z + k - count, range.x + k, k < count);
      let before = bitcast<f32>(records[i].spare.x);
      if (before == CHOSEN) {
        continue;
      }
      let far = min(before, length(records[i].offset - offset) + turn * (1.0 - dot(normal, records[i].normal)));
      // Rounding of a cosine may leave less than 0 of a contact that is there twice.
      records[i].spare.x = bitcast<u32>(max(far, 0.0));
      if (max(far, 0.0) > most) {
        most = max(far, 0.0);
        last = i;
      }
    }
    records[last].spare.x = bitcast<u32>(CHOSEN);
  }
  var place = 0u;
  for (var k = 0u; k < wanted; k++) {
    let i = select(range.z + k - count, range.x + k, k < count);
    if (bitcast<f32>(records[i].spare.x) == CHOSEN) {
      put(row, place, i);
      place++;
    }
  }
}
