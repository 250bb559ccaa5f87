// The number of each pair's cell among mixed cells, the cell of each number, and how many pairs a cell has: a pair's slot
// is how many came before it, in no particular order.
// requires common/mixed-rank

const GROUP = 64u;

@compute @workgroup_size(GROUP)
fn rankPairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let p = params.first + id.x + id.y * groups.x * GROUP;
  if (p >= params.end) {
    return;
  }
  let cell = pairs.entries[p].x;
  let rank = mixedRank(words[cell >> 4u], cell);
  // Every pair of the cell writes the same.
  cells[rank] = cell;
  ranks[p] = vec2u(rank, atomicAdd(&counts[rank], 1u));
}
