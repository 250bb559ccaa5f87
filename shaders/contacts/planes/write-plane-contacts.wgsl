// requires common/from-item-to-item.wgsl
// requires contacts/field/shape.wgsl
// requires contacts/planes/write-below.wgsl
// Contacts with planes as records of the list, in the order of pairs and then of features. A thread goes from pair
// to pair.

const NO_NAME = 0xffffffffu;

// True if a pair has no contacts.
fn isDone(n: u32) -> bool {
  return offsets[params.countsAt + n] == offsets[params.countsAt + n + 1u];
}

fn writeCorners(pair: PlanePair, above: Above, first: u32) {
  var to = first;
  let found = corners[pair.at];
  for (var c = 0u; c < 4u; c++) {
    if (found.names[c] != NO_NAME) {
      writeBelow(to, pair, above, found.points[c].xyz, found.points[c].w, found.names[c], found.area, found.status);
      to++;
    }
  }
}

fn writeNodes(pair: PlanePair, above: Above, first: u32) {
  var to = first;
  let shape = colliders[otherOf(pair)].shape;
  let nodes = tableOf(shape, NODES);
  let count = tableOf(shape, NODE_COUNT);
  for (var c = 0u; c * CLUSTER < count; c++) {
    for (var mask = masks[pair.at + c]; mask != 0u; mask &= mask - 1u) {
      let node = CLUSTER * c + firstTrailingBit(mask);
      let p = vectorAt(nodes + 4u * node);
      // Another kernel has found it below; this one may round otherwise.
      let distance = min(0.0, above.height + dot(above.up, p));
      let point = above.frame.rotation * p + above.frame.origin - 0.5 * distance * above.normal;
      writeBelow(to, pair, above, point, distance, node, numberAt(nodes + 4u * node + 3u), 0u);
      to++;
    }
  }
}

@compute @workgroup_size(GROUP)
fn writePlaneContacts(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let step = threadsIn(groups);
  for (var n = threadOf(id, groups); n < params.count; n += step) {
    while (n < params.count && isDone(n)) {
      n += step;
    }
    if (n >= params.count) {
      break;
    }
    let pair = pairs[n];
    let above = abovePlaneOf(pair);
    let first = offsets[params.countsAt + n];
    if (pair.kind.x == 1u) {
      writeNodes(pair, above, first);
    } else {
      writeCorners(pair, above, first);
    }
  }
}
