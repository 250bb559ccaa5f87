// requires dem/forces/add-sums.wgsl
// Measures how deep two bodies are in each other, and tells whether one of them has just come. Bindings: `control`,
// `state`, `constants`.

const PRESENT = 1u;
const NONE = 0xffffffffu;

fn hasAppeared(body: u32) -> bool {
  let current = control.current * control.count;
  let next = (1u - control.current) * control.count;
  return state[next + body].status == PRESENT && state[current + body].status != PRESENT;
}

fn hitOf(deepest: f32, a: u32, b: u32) -> ForceSums {
  var one = ForceSums();
  one.deepest = deepest;
  // Walls have none.
  let smaller = min(constants[a].radius, constants[b].radius);
  let radius = select(smaller, max(constants[a].radius, constants[b].radius), smaller == 0.0);
  one.deepestShare = deepest / radius;
  one.deepestA = a;
  one.deepestB = b;
  if (hasAppeared(a) || hasAppeared(b)) {
    one.newShare = one.deepestShare;
    one.newDepth = deepest;
    one.newA = a;
    one.newB = b;
  }
  return one;
}
