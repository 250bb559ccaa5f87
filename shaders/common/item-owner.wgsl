// Work cut into items, a few or many per owner: `items` (a binding) holds the first item of every owner.

// The owner of an item: the last of `owners` that starts at or before it.
fn itemOwner(item: u32, owners: u32) -> u32 {
  var low = 0u;
  var high = owners;
  // Invariant: items[low] <= item, and items[high] > item or high is the end.
  for (var wide = high > low + 1u; wide; wide = high > low + 1u) {
    let middle = (low + high) / 2u;
    let after = items[middle] <= item;
    low = select(low, middle, after);
    high = select(middle, high, after);
  }
  return low;
}
