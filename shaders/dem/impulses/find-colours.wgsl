// Where the pairs of each colour begin in their order, and behind the last one where those without contacts do. A
// thread per colour.

@compute @workgroup_size(GROUP)
fn findColours(@builtin(global_invocation_id) id: vec3u) {
  if (id.x > params.colours + 1u) {
    return;
  }
  var low = 0u;
  var high = params.rowRoom;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (keys[middle] < id.x) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  firsts[id.x] = low;
}
