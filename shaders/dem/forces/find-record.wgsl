// requires dem/forces/keys.wgsl
// The first contact, of those from `start` on, that is not before a key. Bindings: `records`.

fn recordFrom(key: vec4u, start: u32, count: u32) -> u32 {
  var low = start;
  var high = count;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (isBefore(keyOf(records[middle]), key)) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return low;
}
