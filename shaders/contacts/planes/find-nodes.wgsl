// requires common/from-item-to-item.wgsl
// requires contacts/field/shape.wgsl
// requires contacts/planes/above-plane.wgsl
// Counts the nodes of polyhedra that lie below planes, and sets a bit for each of them, in a word per cluster. Twin:
// src/contacts/planes/nodes-below-plane.ts. A thread goes from pair to pair.

// Rounding of heights, relative to the lengths that are turned (above-plane.wgsl).
const ROUNDING = 0x1p-17f;

fn slackOf(pair: PlanePair, above: Above) -> f32 {
  return ROUNDING * (colliders[otherOf(pair)].radius + length(above.frame.origin));
}

// True if a pair is of no polyhedron, or of one that is not there or does not reach below.
fn isDone(n: u32, above: Above) -> bool {
  let pair = pairs[n];
  if (pair.kind.x != 1u) {
    return true;
  }
  counts[params.countsAt + n] = 0u;
  return !areThere(pair) || above.height > colliders[otherOf(pair)].radius + slackOf(pair, above);
}

fn isAbove(above: Above, ball: u32, slack: f32) -> bool {
  return above.height + dot(above.up, vectorAt(ball)) > numberAt(ball + 3u) + slack;
}

@compute @workgroup_size(GROUP)
fn findNodes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let step = threadsIn(groups);
  for (var n = threadOf(id, groups); n < params.count; n += step) {
    var above = abovePlaneOf(pairs[n]);
    while (n < params.count && isDone(n, above)) {
      n += step;
      above = abovePlaneOf(pairs[min(n, params.count - 1u)]);
    }
    if (n >= params.count) {
      break;
    }
    let other = colliders[otherOf(pairs[n])];
    let count = tableOf(other.shape, NODE_COUNT);
    let clusters = clustersOf(count);
    let masksAt = atomicAdd(&tally.clusters, clusters);
    atomicAdd(&tally.near, 1u);
    pairs[n].at = masksAt;
    if (masksAt + clusters > params.room) {
      continue;
    }
    let slack = slackOf(pairs[n], above);
    let nodes = tableOf(other.shape, NODES);
    let balls = tableOf(other.shape, NODE_TREE);
    var found = 0u;
    for (var c = 0u; c * CLUSTER < count; c++) {
      while (c * CLUSTER < count && isAbove(above, balls + 4u * c, slack)) {
        masks[masksAt + c] = 0u;
        c++;
      }
      if (c * CLUSTER >= count) {
        break;
      }
      let first = CLUSTER * c;
      let end = min(first + CLUSTER, count);
      var mask = 0u;
      for (var i = first; i < end; i++) {
        let height = above.height + dot(above.up, vectorAt(nodes + 4u * i));
        mask |= select(0u, 1u << (i - first), height <= 0.0);
      }
      masks[masksAt + c] = mask;
      found += countOneBits(mask);
    }
    counts[params.countsAt + n] = found;
  }
}
