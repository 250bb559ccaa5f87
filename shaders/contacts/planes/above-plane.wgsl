// requires contacts/place.wgsl
// requires convex/pair/twofold.wgsl
// The frame of a collider, and its height over a plane. Needs the bindings of contacts/place.wgsl, `pairs` and
// `params.zero`.
//
// Bound. A plane may be met far from where its body is. The height of the collider's body over it is a sum of products
// of the plane's normal and the way between both bodies. Float32 would lose that way's digits; each number here has two
// float32 instead, so that less than 2^-40 of the way is lost. All else is near the collider: places in its body's
// frame, a rotation and a product with it, off by less than 32 spacings of 2^-23 of the lengths that are turned. So a
// distance is off by less than 2^-18 of how far the collider reaches from its body's origin, and 2^-40 of the way.

const FEATURE_OF_B = 0x80000000u;

struct Above {
  // Normal of the plane, in the world.
  normal: vec3f,
  // Frame of the collider, about the position of its own body.
  frame: Frame,
  // Height of that frame's origin over the plane.
  height: f32,
  // The plane's normal in that frame.
  up: vec3f,
}

// A difference of whole cells and fractions, in cells.
fn exactCells(cellA: i32, fractionA: u32, cellB: i32, fractionB: u32) -> vec2f {
  var fraction = fractionB - fractionA;
  var whole = cellB - cellA - select(0, 1, fractionB < fractionA);
  let isBelow = whole < 0;
  if (isBelow) {
    whole = -whole - select(0, 1, fraction != 0u);
    fraction = 0u - fraction;
  }
  // The first float has 18 bits of cells and 6 of the fraction, the second one the other 26 bits.
  let parts = vec2f(f32(64 * whole + i32(fraction >> 26u)) * 0x1p-6f, f32(fraction & 0x3ffffffu) * 0x1p-32f);
  return select(parts, -parts, isBelow);
}

// The third axis of a quaternion's rotation.
fn normalOf(q: vec4f) -> Twofold {
  let squares = multiply(Twofold(q.xyz, vec3f()), Twofold(q.xyz, vec3f()));
  let along = multiply(Twofold(q.xyz, vec3f()), Twofold(q.zzz, vec3f()));
  let w = Twofold(q.www, vec3f());
  // xz + wy, yz - wx, zz + ww.
  let once = add(along, multiply(Twofold(vec3f(q.y, -q.x, q.w), vec3f()), w));
  let less = Twofold(vec3f(once.high.xy, -squares.high.x), vec3f(once.low.xy, -squares.low.x));
  let lessToo = Twofold(vec3f(0.0, 0.0, -squares.high.y), vec3f(0.0, 0.0, -squares.low.y));
  return multiply(add(add(once, less), lessToo), inverse(add(totalOf(squares), multiply(w, w))));
}

fn abovePlane(plane: u32, other: u32) -> Above {
  zero = vec3u(params.zero);
  let own = colliders[other];
  let a = bodies[colliders[plane].body];
  let b = bodies[own.body];
  let x = exactCells(a.cell.x, a.fraction.x, b.cell.x, b.fraction.x);
  let y = exactCells(a.cell.y, a.fraction.y, b.cell.y, b.fraction.y);
  let z = exactCells(a.cell.z, a.fraction.z, b.cell.z, b.fraction.z);
  let way = Twofold(vec3f(x.x, y.x, z.x), vec3f(x.y, y.y, z.y));
  let normal = normalOf(a.quaternion);
  let sum = totalOf(multiply(normal, way));
  let frame = frameFrom(other, own.body);
  let height = params.cellSize * (sum.high.x + sum.low.x) + dot(normal.high, frame.origin);
  return Above(normal.high, frame, height, transpose(frame.rotation) * normal.high);
}

// Bit of a body's flags.
const ABSENT = 2u;

fn areThere(pair: PlanePair) -> bool {
  let flags = bodies[colliders[pair.a].body].flags | bodies[colliders[pair.b].body].flags;
  return (flags & ABSENT) == 0u;
}

// The collider of a pair that is no plane.
fn otherOf(pair: PlanePair) -> u32 {
  return select(pair.a, pair.b, pair.kind.y == 1u);
}

fn abovePlaneOf(pair: PlanePair) -> Above {
  return abovePlane(select(pair.b, pair.a, pair.kind.y == 1u), otherOf(pair));
}
