// requires common/from-item-to-item.wgsl
// requires contacts/rows/table.wgsl
// requires dem/copies/copies.wgsl
// requires dem/forces/keys.wgsl
// Finds the contacts of each row's pair, and their places in the list of the last whole step. These places go to
// `spare.x` of the records. The place of the pair's first contact of then goes to `spare.y` of the first one now. A
// thread goes from row to row.
//
// As long as the list of pairs serves, the row says where the pair's last contacts are. In a new list they are looked
// for by their keys.

// Keys of the two halves stand behind their counts, each with the number of the list of pairs that it is of.
fn startOf(half: u32) -> u32 {
  return 2u + half * params.contactRoom;
}

fn rangeAt(half: u32, row: u32) -> u32 {
  return 1u + half * params.rowRoom + row;
}

// The first key of the last step, of those from `first` to before `end`, that is not before one.
fn lastFrom(key: vec4u, half: u32, first: u32, end: u32) -> u32 {
  let start = startOf(half);
  var low = first;
  var high = end;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (isBefore(keys[start + middle], key)) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return low;
}

// The first contact of a pair in the last step.
fn lastOfPair(record: ContactRecord, kind: u32, half: u32) -> u32 {
  let key = keyAs(record, kind, 0u);
  let at = lastFrom(key, half, 0u, keys[half].x);
  if (at < keys[half].x && isOfPair(keys[startOf(half) + at], key)) {
    return at;
  }
  return NONE;
}

fn isInLast(record: ContactRecord, half: u32) -> bool {
  let kind = kindOf(record);
  if (lastOfPair(record, kind, half) != NONE) {
    return true;
  }
  return kind <= EDGE && lastOfPair(record, NODE + EDGE - kind, half) != NONE;
}

// A record with the copies that its bodies touched as in the last step. These change where a body comes in on the other
// side of the box; two bodies touch in one way at most.
fn asBefore(record: ContactRecord, half: u32) -> ContactRecord {
  if (control.repeats == 0u || isInLast(record, half)) {
    return record;
  }
  let copies = 1u << repeatedAxes();
  var other = record;
  for (var copyA = 0u; copyA < copies; copyA++) {
    for (var copyB = 0u; copyB < copies; copyB++) {
      other.bodyA = bodyOf(record.bodyA) * copies + copyA;
      other.bodyB = bodyOf(record.bodyB) * copies + copyB;
      if ((copyA & copyB) == 0u && isInLast(other, half)) {
        return other;
      }
    }
  }
  return record;
}

// The first contact of a pair's nodes, or pieces of edges, or of a pair of any other class. Where lists ran over it is
// beyond them.
fn contactFrom(at: u32) -> u32 {
  return min(offsets[at], params.contactRoom);
}

// Contacts of a pair: the first and the one after the last of its nodes, or of its only kind, and of its edges.
fn rangeOf(row: u32) -> vec4u {
  var i = row;
  if (i < table[POLYHEDRA]) {
    let isLast = i + 1u == table[POLYHEDRA];
    var range = vec4u(
      contactFrom(params.nodesAt + min(nodeFirsts[i], params.clusters)),
      contactFrom(params.nodesAt + select(min(nodeFirsts[i + 1u], params.clusters), params.clusters, isLast)),
      0u,
      0u,
    );
    if (params.edgesAt != NONE) {
      let room = params.edgeClusters;
      range.z = contactFrom(params.edgesAt + min(edgeFirsts[i], room));
      let end = select(min(edgeFirsts[i + 1u], room), room, isLast);
      range.w = contactFrom(params.edgesAt + end);
    }
    return range;
  }
  i -= table[POLYHEDRA];
  var at = params.patchesAt;
  if (i >= table[PATCHES]) {
    i -= table[PATCHES];
    at = params.convexAt;
    if (i >= table[CONVEX]) {
      i -= table[CONVEX];
      at = params.planesAt;
    }
  }
  return vec4u(contactFrom(at + i), contactFrom(at + i + 1u), 0u, 0u);
}

// Writes down which contacts a row has. True if there are none.
fn hasNone(row: u32, half: u32) -> bool {
  let range = rangeOf(row);
  ranges[rangeAt(1u - half, row)] = range;
  return range.x == range.y && range.z == range.w;
}

// Contact k of a row: those of nodes come first.
fn contactOf(range: vec4u, k: u32) -> u32 {
  let nodes = range.y - range.x;
  return select(range.z + k - nodes, range.x + k, k < nodes);
}

// Writes down a contact's key, and its place among those of the last step from `bounds.x` to before `bounds.y`. `name`:
// its key of then.
fn matchContact(i: u32, key: vec4u, name: vec4u, bounds: vec2u, half: u32, first: u32) {
  keys[startOf(1u - half) + i] = key;
  let at = lastFrom(name, half, bounds.x, bounds.y);
  let isKnown = at < bounds.y && all(keys[startOf(half) + at] == name);
  records[i].spare = vec2u(select(NONE, at, isKnown), first);
}

@compute @workgroup_size(GROUP)
fn matchContacts(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let half = control.current;
  if (control.stop != 0u) {
    return;
  }
  let thread = threadOf(id, groups);
  let step = threadsIn(groups);
  let end = min(table[ROWS], params.rowRoom);
  if (thread == 0u) {
    // The half of the step under way.
    let contacts = contactFrom(params.all);
    keys[1u - half] = vec4u(contacts, table[LIST], 0u, 0u);
    ranges[0] = vec4u(end, 0u, contacts, 0u);
  }
  // Loops of their own for both: threads that run side by side take the time of all that is in a loop.
  let isKept = keys[half].y == table[LIST];
  for (var row = select(end, thread, isKept); row < end; row += step) {
    while (row < end && hasNone(row, half)) {
      row += step;
    }
    if (row >= end) {
      break;
    }
    let range = ranges[rangeAt(1u - half, row)];
    let last = ranges[rangeAt(half, row)];
    let first = select(select(NONE, last.z, last.w > last.z), last.x, last.y > last.x);
    let wanted = range.y - range.x + range.w - range.z;
    for (var k = 0u; k < wanted; k++) {
      let i = contactOf(range, k);
      let key = keyOf(records[i]);
      let bounds = select(last.xy, last.zw, kindOf(records[i]) == EDGE);
      matchContact(i, key, key, bounds, half, select(NONE, first, k == 0u));
    }
  }
  for (var row = select(thread, end, isKept); row < end; row += step) {
    while (row < end && hasNone(row, half)) {
      row += step;
    }
    if (row >= end) {
      break;
    }
    let range = ranges[rangeAt(1u - half, row)];
    let wanted = range.y - range.x + range.w - range.z;
    for (var k = 0u; k < wanted; k++) {
      let i = contactOf(range, k);
      let record = records[i];
      let kind = kindOf(record);
      let before = asBefore(record, half);
      var first = NONE;
      if (k == 0u) {
        // Nodes and edges of a pair are one group: its first contact may have been a node, or an edge.
        first = lastOfPair(before, select(kind, NODE, kind == EDGE), half);
        if (first == NONE && kind <= EDGE) {
          first = lastOfPair(before, EDGE, half);
        }
      }
      matchContact(i, keyOf(record), keyOf(before), vec2u(0u, keys[half].x), half, first);
    }
  }
}
