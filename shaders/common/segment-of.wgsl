// Ranges of segments that are too long for one go.

// Values of a range, but for the last one of a segment.
const RANGE = 1024u;

// The segment that a range belongs to: the last one whose first range is not behind it.
fn segmentOf(range: u32, segments: u32) -> u32 {
  var low = 0u;
  var high = segments;
  while (high - low > 1u) {
    let middle = low + (high - low) / 2u;
    if (rangeStarts[middle] <= range) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

// First value of a range, and the one behind its last.
fn valuesOf(range: u32, segments: u32) -> vec2u {
  let segment = segmentOf(range, segments);
  let first = starts[segment] + (range - rangeStarts[segment]) * RANGE;
  return vec2u(first, min(first + RANGE, starts[segment + 1u]));
}
