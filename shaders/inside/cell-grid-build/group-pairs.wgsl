// Triangle and cell of every pair, brought together by cell.

const GROUP = 64u;

@compute @workgroup_size(GROUP)
fn groupPairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let p = params.first + id.x + id.y * groups.x * GROUP;
  if (p >= params.end) {
    return;
  }
  let rank = ranks[p];
  grouped[starts[rank.x] + rank.y] = vec2u(pairs.entries[p].y, rank.x);
}
