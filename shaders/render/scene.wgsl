// requires common/turns.wgsl
// What all passes share: where bodies are, and what goes from vertices to fragments. Bindings: `view`, `bodies`.
//
// Places are relative to the middle of the scene, `view.focus...`, so that a scene far from the origin looks the same.
// Differences of whole cells are exact. Fractions are rounded to 2^-24 of a cell, far less than a pixel.

// Bits of a body's flags.
const IS_STATIC = 1u;
const IS_ABSENT = 2u;

struct LitVertex {
  // Passes that compare depths need the same bits in each.
  @builtin(position) @invariant clip: vec4f,
  @location(0) place: vec3f,
  @location(1) normal: vec3f,
  @location(2) @interpolate(flat) color: vec3f,
}

fn originOf(body: u32) -> vec3f {
  let b = bodies[body];
  let whole = vec3f(b.cell - view.focusCell);
  let fraction = vec3f(b.fraction) - vec3f(view.focusFraction);
  return view.cellSize * (whole + fraction * 0x1p-32f);
}

// An absent body has no extent.
fn placeOf(position: vec3f, body: u32) -> vec3f {
  let isAbsent = (bodies[body].flags & IS_ABSENT) != 0u;
  return originOf(body) + turned(bodies[body].quaternion, select(position, vec3f(0.0), isAbsent));
}
