// Finds the first pair of each colour in their order, and behind the last colour the first pair without contacts. A
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
