// requires dem/copies/copies.wgsl
// requires dem/forces/find-record.wgsl
// Which contacts a group has: the first and the one after the last, then the same of the pair's edges; and its entries
// in the lists of both bodies. A thread per group; number 0 of `ranges` says how many there are.

// The first contact of another pair or kind, from `first` on.
fn endOf(first: u32, key: vec4u, count: u32) -> u32 {
  var end = first;
  while (end < count && isOfPair(keyOf(records[end]), key)) {
    end++;
  }
  return end;
}

@compute @workgroup_size(GROUP)
fn groupRanges(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let g = id.x + id.y * groups.x * GROUP;
  let there = firsts[0];
  let count = min(there, params.groupRoom);
  if (g == 0u) {
    ranges[0] = vec4u(count, there, tally.contacts, 0u);
    tally.entries = 2u * count;
  }
  if (g >= count) {
    return;
  }
  let first = firsts[1u + g];
  let record = records[first];
  let kind = kindOf(record);
  let end = endOf(first, keyOf(record), tally.contacts);
  var range = vec4u(first, end, end, end);
  if (kind == NODE) {
    let key = keyAs(record, EDGE, 0u);
    let edges = recordFrom(key, end, tally.contacts);
    range.z = edges;
    range.w = endOf(edges, key, tally.contacts);
  }
  if (kind == EDGE) {
    range = vec4u(first, first, first, end);
  }
  ranges[1u + g] = range;
  entryBodies[2u * g] = bodyOf(record.bodyA);
  entryBodies[2u * g + 1u] = bodyOf(record.bodyB);
  entries[2u * g] = 2u * g;
  entries[2u * g + 1u] = 2u * g + 1u;
}
