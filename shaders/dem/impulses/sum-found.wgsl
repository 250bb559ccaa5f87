// requires dem/forces/hits.wgsl
// Measures how deep bodies are in each other where a step by impulses has brought them. Thread t of `threads` adds up
// pairs whose first contacts are t, t + threads, ...: the same ones, whatever pairs are listed that do not touch.

@compute @workgroup_size(GROUP)
fn sumFound(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.threads || control.stop != 0u) {
    return;
  }
  var sum = sums[id.x];
  let contacts = keys[1u - control.current].x;
  for (var i = id.x; i < contacts; i += params.threads) {
    let row = records[i].spare.y;
    if (row != NONE) {
      let pair = picks[row].bodies;
      var one = hitOf(picks[row].deepest, pair.x, pair.y);
      one.open = picks[row].open;
      sum = addSums(sum, one);
    }
  }
  sum.contacts = select(0u, contacts, id.x == 0u);
  sums[id.x] = sum;
}
