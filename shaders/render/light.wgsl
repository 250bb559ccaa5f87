// How surfaces are lit: by one soft light, and by a sky, which makes gaps between bodies dark. The sky is a number of
// directions, each with a map of how far its light reaches. Bindings: `view`, `keyMap`, `skyMaps`, `mapSampler`.

const KEY_COLOR = vec3f(1.0, 0.95, 0.87) * 1.35;
const SKY_COLOR = vec3f(0.82, 0.90, 1.0) * 0.72;
// What the ground throws back, as a share of the sky's light.
const BOUNCE = 0.22;
const TAPS = 4;
// Between taps, in texels of the map.
const TAP_STEP = 1.1;

// Beyond a map nothing is in the light's way.
const DEEPEST = 0.9999;

fn keyLight(place: vec3f, normal: vec3f) -> f32 {
  let slope = dot(normal, view.keyDirection);
  if (slope <= 0.0) {
    return 0.0;
  }
  let lit = view.keyMatrix * vec4f(place + 2.0 * view.keyTexel * normal, 1.0);
  let middle = vec2f(0.5 + 0.5 * lit.x, 0.5 - 0.5 * lit.y);
  let texel = TAP_STEP / f32(textureDimensions(keyMap).x);
  var sum = 0.0;
  for (var i = 0; i < TAPS; i++) {
    for (var j = 0; j < TAPS; j++) {
      let shift = texel * (vec2f(f32(i), f32(j)) - 0.5 * f32(TAPS - 1));
      sum += textureSampleCompareLevel(keyMap, mapSampler, middle + shift, min(lit.z, DEEPEST));
    }
  }
  return slope * sum / f32(TAPS * TAPS);
}

fn skyLight(place: vec3f, normal: vec3f) -> f32 {
  let start = place + 1.5 * view.skyTexel * normal;
  var sum = 0.0;
  for (var i = 0u; i < view.skyCount; i++) {
    let matrix = view.skyMatrices[i];
    // The third row points along the light's way.
    let slope = -dot(normal, normalize(vec3f(matrix[0].z, matrix[1].z, matrix[2].z)));
    if (slope > 0.0) {
      let lit = matrix * vec4f(start, 1.0);
      let map = vec2f(0.5 + 0.5 * lit.x, 0.5 - 0.5 * lit.y);
      sum += slope * textureSampleCompareLevel(skyMaps, mapSampler, map, i, min(lit.z, DEEPEST));
    }
  }
  // Directions are evenly spread over the half sphere, whose mean slope to a level surface is a half.
  return 2.0 * sum / f32(max(view.skyCount, 1u));
}

fn encoded(linear: vec3f) -> vec3f {
  // Bright places roll off instead of being cut.
  let c = linear / (1.0 + 0.18 * linear * linear);
  return select(1.055 * pow(c, vec3f(1.0 / 2.4)) - 0.055, 12.92 * c, c <= vec3f(0.0031308));
}

fn shaded(color: vec3f, place: vec3f, normal: vec3f) -> vec3f {
  let sky = skyLight(place, normal);
  let bounce = BOUNCE * (0.55 - 0.45 * dot(normal, view.up));
  return color * (KEY_COLOR * keyLight(place, normal) + SKY_COLOR * (sky + bounce));
}
