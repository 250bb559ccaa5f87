// requires dem/copies/copies.wgsl
// requires dem/forces/find-record.wgsl
// Each contact finds itself in the list of the last whole step: its place goes to the record's `spare.x`. The first of
// a group sets a flag, and finds the first contact of its group there: `spare.y`. A thread per contact.

// Keys of the two halves stand behind their counts.
fn startOf(half: u32) -> u32 {
  return 2u + half * params.contactRoom;
}

// The first key of the last step that is not before one.
fn lastFrom(key: vec4u, half: u32) -> u32 {
  let start = startOf(half);
  var low = 0u;
  var high = keys[half].x;
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
  let at = lastFrom(key, half);
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

// Whether a pair with edges has nodes as well, in this list.
fn hasNodes(record: ContactRecord, count: u32) -> bool {
  let key = keyAs(record, NODE, 0u);
  let at = recordFrom(key, 0u, count);
  return at < count && isOfPair(keyOf(records[at]), key);
}

@compute @workgroup_size(GROUP)
fn matchContacts(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= tally.contacts) {
    return;
  }
  let half = control.current;
  let record = records[i];
  let kind = kindOf(record);
  let key = keyOf(record);
  keys[startOf(1u - half) + i] = key;
  let before = asBefore(record, half);
  let keyBefore = keyOf(before);
  let at = lastFrom(keyBefore, half);
  let isKnown = at < keys[half].x && all(keys[startOf(half) + at] == keyBefore);
  var spare = vec2u(select(NONE, at, isKnown), NONE);
  var isFirst = true;
  if (i > 0u) {
    isFirst = !isOfPair(keyOf(records[i - 1u]), key);
  }
  if (isFirst && kind == EDGE) {
    isFirst = !hasNodes(record, tally.contacts);
  }
  if (isFirst) {
    // Nodes and edges of a pair are one group: its first contact may have been a node, or an edge.
    spare.y = lastOfPair(before, select(kind, NODE, kind == EDGE), half);
    if (spare.y == NONE && kind <= EDGE) {
      spare.y = lastOfPair(before, EDGE, half);
    }
  }
  flags[i] = select(0u, 1u, isFirst);
  records[i].spare = spare;
}
