// requires convex/pair/statuses.wgsl
// Counts the contacts that kernels for convex pairs found. Needs the bindings `places`, `results` and `contacts`;
// src/convex/gpu/pair-layout.ts says what they hold.

const CONTACTS = 4u;
const NO_PLACE = 0xffffffffu;

fn statusAt(place: u32) -> u32 {
  return results[RESULT * place].w & 0xffu;
}

// Distance, lower and upper bound.
fn lengthsAt(place: u32) -> vec3f {
  return bitcast<vec3f>(results[RESULT * place].xyz);
}

// Contacts of the manifold that overlap by more than its resolution, as the pair's deepest always does. Corners where a
// patch ends are at a distance of 0 but for rounding; in float64 they are left out.
fn isContact(place: u32, c: u32) -> bool {
  let resolution = bitcast<f32>(results[RESULT * place + 1u].w);
  return c < (results[RESULT * place].w >> 24u) && contacts[CONTACTS * place + c].w < -resolution;
}

// A pair that float32 leaves open has a contact if it may overlap.
fn contactCount(place: u32) -> u32 {
  if (place == NO_PLACE) {
    return 0u;
  }
  let status = statusAt(place);
  if (status == SEPARATED) {
    return 0u;
  }
  if (status == ITERATION_LIMIT) {
    return select(0u, 1u, lengthsAt(place).y < 0.0);
  }
  var count = 0u;
  for (var c = 0u; c < CONTACTS; c++) {
    count += select(0u, 1u, isContact(place, c));
  }
  return count;
}
