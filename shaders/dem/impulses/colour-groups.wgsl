// requires contacts/rows/run-begins.wgsl
// requires dem/impulses/colour-states.wgsl
// Rounds of colouring: M. T. Jones, P. E. Plassmann (1993). A group takes the least colour that is free at both bodies
// once all its neighbours of higher priority have theirs. Twin: src/dem/impulses/colours.ts. A thread per row and a
// round at a time, or one thread for all.
//
// A group that took its colour in this very round counts as if it had none yet. So what others see does not depend on
// timing.

const NONE = 0xffffffffu;
// A state is a colour, and the round that it was taken in from here on.
const ROUND_SHIFT = 8u;

// The result is whether it waited before.
fn colourGroup(row: u32, round: u32) -> bool {
  if (atomicLoad(&colours[row].state) != WAITS) {
    return false;
  }
  let priority = colours[row].priority;
  let pair = vec2u(colours[row].a, colours[row].b);
  var taken = 0u;
  for (var side = 0u; side < 2u; side++) {
    let body = pair[side];
    if (body == NONE) {
      continue;
    }
    let end = starts[body + 1u];
    for (var at = starts[body]; at < end; at++) {
      let other = (entries[at] & ~RUN_BEGINS) >> 1u;
      let state = atomicLoad(&colours[other].state);
      if (other == row || state == NOTHING) {
        continue;
      }
      let theirs = colours[other].priority;
      if (theirs < priority || (theirs == priority && other > row)) {
        continue;
      }
      if (state == WAITS || (state >> ROUND_SHIFT) == round) {
        return true;
      }
      let colour = state & 0xffu;
      taken |= select(0u, 1u << (colour & 31u), colour < params.colours);
    }
  }
  // Past the last colour there is one for all that are left.
  let colour = min(firstTrailingBit(~taken), params.colours);
  atomicStore(&colours[row].state, colour | (round << ROUND_SHIFT));
  return true;
}

@compute @workgroup_size(GROUP)
fn colourGroups(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = id.x + id.y * groups.x * GROUP;
  if (control.stop != 0u || thread >= params.threads) {
    return;
  }
  for (var round = params.first; round <= params.last; round++) {
    var waits = false;
    for (var row = thread; row < params.rowRoom; row += params.threads) {
      waits = colourGroup(row, round) || waits;
    }
    if (!waits) {
      return;
    }
  }
}
