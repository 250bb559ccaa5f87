// Colours of bodies, linear. Bindings: `view`, `bodies`, `values`.

// Values of view.colorMode.
const BY_BODY = 0u;
const BY_CATEGORY = 1u;

const STONES = array(
  vec3f(0.52, 0.42, 0.31), vec3f(0.62, 0.50, 0.36), vec3f(0.45, 0.40, 0.35), vec3f(0.56, 0.38, 0.26),
  vec3f(0.36, 0.36, 0.37), vec3f(0.66, 0.57, 0.45), vec3f(0.47, 0.33, 0.24), vec3f(0.50, 0.47, 0.42),
);
const CATEGORIES = array(
  vec3f(0.56, 0.40, 0.24), vec3f(0.12, 0.30, 0.50), vec3f(0.60, 0.20, 0.10), vec3f(0.13, 0.38, 0.22),
  vec3f(0.70, 0.50, 0.08), vec3f(0.34, 0.20, 0.44), vec3f(0.10, 0.42, 0.44), vec3f(0.38, 0.38, 0.38),
);
// From slow to fast. Lightness grows all the way, so that grey printers show it too.
const RAMP = array(
  vec3f(0.030, 0.035, 0.150), vec3f(0.100, 0.060, 0.330), vec3f(0.380, 0.070, 0.300), vec3f(0.800, 0.180, 0.090),
  vec3f(0.950, 0.520, 0.080), vec3f(0.980, 0.930, 0.560),
);
const WALL = vec3f(0.42, 0.47, 0.53);

fn rampAt(share: f32) -> vec3f {
  let place = clamp(share, 0.0, 1.0) * 5.0;
  let below = min(u32(place), 4u);
  let ramp = RAMP;
  return mix(ramp[below], ramp[below + 1u], place - f32(below));
}

// A number that looks like chance.
fn scattered(body: u32) -> u32 {
  var x = body * 0x9e3779b9u + 0x7f4a7c15u;
  x = (x ^ (x >> 16u)) * 0x85ebca6bu;
  x = (x ^ (x >> 13u)) * 0xc2b2ae35u;
  return x ^ (x >> 16u);
}

fn colorOf(body: u32) -> vec3f {
  if ((bodies[body].flags & IS_STATIC) != 0u) {
    return WALL;
  }
  let chance = scattered(body);
  let shade = 0.9 + 0.2 * f32(chance >> 24u) / 255.0;
  if (view.colorMode == BY_BODY) {
    let stones = STONES;
    return shade * stones[chance % 8u];
  }
  let value = values[body];
  if (view.colorMode == BY_CATEGORY) {
    let categories = CATEGORIES;
    return shade * categories[u32(max(value, 0.0)) % 8u];
  }
  return rampAt((value - view.range.x) / (view.range.y - view.range.x));
}
