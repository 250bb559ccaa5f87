// requires contacts/nodes/is-ball-far.wgsl
// Finds two parallel planes that hold all that two polyhedra share. Twins: src/contacts/nodes/between-planes.ts, which
// has four more, and src/contacts/surface/support-table.ts.
//
// Bound. e = 2^-23, S as in place.wgsl. The way from middle to middle is off by 32 e S, a direction in B's frame by
// 20 e, which counts for B's reach and for its points' products, reaches by 8 e each for what is read and interpolated,
// and products by 3 e. All is below 128 e S.

const PLANE_ROUNDING = 0x1p-16f;
// Directions that are tried, and the smallest turn from one to the next.
const MOST_LOOKS = 6u;
const SMALLEST_TURN = 0x1p-6f;
// Cells along each side of a face of the cube of directions.
const SUPPORT_CELLS = 16u;

// A direction, and the least product with it of a point that counts, in the frames of A and of B.
struct HalfSpaces {
  ofA: vec4f,
  ofB: vec4f,
}

fn middleOf(shape: u32) -> vec3f {
  let base = SHAPE_WORDS * shape;
  return 0.5 * (vectorAt(base + BOX_MIN) + vectorAt(base + BOX_MAX));
}

// w: reach of a body from its middle along d, at most, times the length of d. x, y, z: the gradient of w.
fn supportAlong(shape: u32, d: vec3f) -> vec4f {
  let size = abs(d);
  let isX = size.x >= size.y && size.x >= size.z;
  let isY = !isX && size.y >= size.z;
  // The largest coordinate, and those of the next axes.
  let v = select(select(d.zxy, d.yzx, isY), d, isX);
  let most = abs(v.x);
  let half = 0.5 * f32(SUPPORT_CELLS);
  let place = clamp((v.yz / most + vec2f(1.0)) * half, vec2f(0.0), vec2f(2.0 * half));
  let cell = min(vec2u(place), vec2u(SUPPORT_CELLS - 1u));
  let share = place - vec2f(cell);
  let face = select(select(4u, 2u, isY), 0u, isX) + select(0u, 1u, v.x < 0.0);
  let row = SUPPORT_CELLS + 1u;
  let at = tableOf(shape, SUPPORT) + (face * row + cell.y) * row + cell.x;
  let h = vec4f(numberAt(at), numberAt(at + 1u), numberAt(at + row), numberAt(at + row + 1u));
  let along = h.xz + share.x * (h.yw - h.xz);
  let value = most * (along.x + share.y * (along.y - along.x));
  let slope = half * vec2f(h.y - h.x + share.y * (h.w - h.z - h.y + h.x), along.y - along.x);
  // The function grows as the direction does: direction times gradient is the value.
  let g = vec3f((value - dot(slope, v.yz)) / v.x, slope);
  return vec4f(select(select(g.yzx, g.zxy, isY), g, isX), value);
}

// `size`: of the pair, as in place.wgsl.
fn betweenPlanes(a: Side, b: Side, size: f32) -> HalfSpaces {
  // All directions are in A's frame.
  let turn = b.inPartner.rotation;
  let back = transpose(turn);
  let middleA = middleOf(a.shape);
  let middleB = middleOf(b.shape);
  let s = turn * middleB + b.inPartner.origin - middleA;
  let way = length(s);
  var u = select(vec3f(1.0, 0.0, 0.0), s / way, way > 0.0);
  var best = u;
  var least = NOWHERE;
  var reaches = vec2f(0.0);
  var across = vec3f(0.0);
  var step = 1.0;
  let slack = PLANE_ROUNDING * size;
  for (var look = 0u; look < MOST_LOOKS; look++) {
    let ofA = supportAlong(a.shape, u);
    let ofB = supportAlong(b.shape, -(back * u));
    let found = ofA.w + ofB.w - dot(s, u);
    if (found < least) {
      least = found;
      reaches = vec2f(ofA.w, ofB.w);
      best = u;
      let gradient = ofA.xyz - turn * ofB.xyz - s;
      across = gradient - dot(gradient, u) * u;
    } else {
      step *= 0.5;
    }
    let change = step / (way + least) * across;
    if (least < 0.0 || dot(change, change) < SMALLEST_TURN * SMALLEST_TURN) {
      break;
    }
    u = normalize(best - change);
  }
  if (least < -slack) {
    return HalfSpaces(vec4f(0.0, 0.0, 0.0, NOWHERE), vec4f(0.0, 0.0, 0.0, NOWHERE));
  }
  let v = -(back * best);
  let between = dot(s, best) - slack;
  return HalfSpaces(
    vec4f(best, between - reaches.y + dot(best, middleA)),
    vec4f(v, between - reaches.x + dot(v, middleB)),
  );
}
