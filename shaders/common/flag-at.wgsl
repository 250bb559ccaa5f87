// Flags of some bits each, packed into words.

// Whether a flag is not 0 under the mask.
fn flagAt(item: u32) -> bool {
  let perWord = 32u / params.flagBits;
  let word = flags[item / perWord] >> (params.flagBits * (item % perWord));
  return (word & params.mask) != 0u;
}
