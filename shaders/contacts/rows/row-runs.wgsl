// requires contacts/rows/run-begins.wgsl
// requires contacts/rows/table.wgsl
// Entries of rows in the lists of their bodies: twice the row, and one more for its B. They are in the order of bodies,
// then of rows. What a body's entries come to is summed up by runs, so that no thread has all of a wall's. Where a run
// begins depends on the bodies and colliders of its pairs alone: the same, whatever pairs are listed that do not touch.
// Those of A's side are in the order of A's colliders, then of partners; those of B's side in that of partners.
// A thread per entry, and one per body and behind the last one for where its entries begin.

fn classOf(row: u32) -> u32 {
  var kind = 0u;
  var end = table[0];
  while (kind < PLANES && row >= end) {
    kind++;
    end += table[kind];
  }
  return kind;
}

// The key that all entries of a run share.
fn runOf(entry: u32) -> vec4u {
  let row = entry >> 1u;
  let side = entry & 1u;
  return vec4u(classOf(row), side, select(firsts[row], 0u, side == 1u), bodies[entry ^ 1u] >> params.partnerBits);
}

@compute @workgroup_size(GROUP)
fn rowRuns(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let t = id.x + id.y * groups.x * GROUP;
  let count = 2u * table[ROWS];
  if (t < count) {
    var begins = t == 0u;
    if (t > 0u) {
      begins = keys[t] != keys[t - 1u] || any(runOf(order[t]) != runOf(order[t - 1u]));
    }
    entries[t] = order[t] | select(0u, RUN_BEGINS, begins);
  }
  if (t <= params.bodies) {
    var low = 0u;
    var high = count;
    while (low < high) {
      let middle = (low + high) / 2u;
      if (keys[middle] < t) {
        low = middle + 1u;
      } else {
        high = middle;
      }
    }
    starts[t] = low;
  }
}
