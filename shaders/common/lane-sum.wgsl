// The fixed order of sums by segment. Value l of a range goes to lane l % LANES. A lane adds up its values in their
// order. Then lane l + LANES/2 is added to lane l, then lane l + LANES/4, and so on. Twin: `sumInOrder` of
// segment-sums.ts.

const LANES = 32u;

// The values first, first + LANES, ... below end, of one component.
fn addLane(first: u32, end: u32, component: u32) -> f32 {
  var sum = 0.0;
  for (var at = first; at < end; at += LANES) {
    sum += values[at * params.components + component];
  }
  return sum;
}

// The sum of the values first .. end - 1 of one component, by a thread alone.
fn sumLanes(first: u32, end: u32, component: u32) -> f32 {
  var lanes = array<f32, LANES>();
  let used = min(LANES, end - first);
  for (var lane = 0u; lane < used; lane++) {
    lanes[lane] = addLane(first + lane, end, component);
  }
  for (var half = LANES / 2u; half > 0u; half /= 2u) {
    // Lanes without values have 0.
    for (var lane = 0u; lane < half && lane + half < used; lane++) {
      lanes[lane] += lanes[lane + half];
    }
  }
  return lanes[0];
}
