// requires convex/pair/twofold.wgsl
// requires common/turns.wgsl
// The rotation of a free rigid body by splitting. Twin: `turn` of src/dem/motion/motion.ts.

// A quaternion is made unit once the square of its length is farther from 1 than this: more than rounding makes of it.
const UNIT_WITHIN = 0x1p-21f;

// A turn by a small angle: its quaternion is xyz, 1 - less.
struct SmallTurn {
  xyz: vec3f,
  less: f32,
}

// The turn of b, then that of a.
fn smallTurnAfter(a: SmallTurn, b: SmallTurn) -> SmallTurn {
  return SmallTurn(
    a.xyz + b.xyz + (cross(a.xyz, b.xyz) - b.less * a.xyz - a.less * b.xyz),
    a.less + b.less + (dot(a.xyz, b.xyz) - a.less * b.less),
  );
}

// The tangent of x, to 2^-23 of it up to 0.3. WGSL's sines are off by 2^-11. Turns by an angle that is off a little
// are turns nonetheless: nothing but the angle is.
fn tangent(x: f32) -> f32 {
  let s = x * x;
  return x + x * s * (1.0 / 3.0 + s * (2.0 / 15.0 + s * (17.0 / 315.0 + s * (62.0 / 2835.0))));
}

struct FreeTurn {
  turn: SmallTurn,
  // Angular momentum in the principal frame.
  momentum: vec3f,
}

// A turn by `time` about one principal axis after what was turned so far. `first` and `second` are the axes after it.
fn turnedAbout(so: FreeTurn, axis: vec3f, first: vec3f, second: vec3f, inverse: f32, time: f32) -> FreeTurn {
  let angle = time * inverse * dot(axis, so.momentum);
  let u = tangent(0.25 * angle);
  let s = 2.0 * u / (1.0 + u * u);
  let less = 2.0 * u * u / (1.0 + u * u);
  let sine = 2.0 * s * (1.0 - less);
  let lessCosine = 2.0 * s * s;
  let l1 = dot(first, so.momentum);
  let l2 = dot(second, so.momentum);
  let momentum = so.momentum + (sine * l2 - lessCosine * l1) * first - (sine * l1 + lessCosine * l2) * second;
  return FreeTurn(smallTurnAfter(so.turn, SmallTurn(s * axis, less)), momentum);
}

// How a body turns in its principal frame.
fn freeTurn(momentum: vec3f, inverse: vec3f, time: f32) -> SmallTurn {
  let x = vec3f(1.0, 0.0, 0.0);
  let y = vec3f(0.0, 1.0, 0.0);
  let z = vec3f(0.0, 0.0, 1.0);
  var so = FreeTurn(SmallTurn(vec3f(0.0), 0.0), momentum);
  so = turnedAbout(so, x, y, z, inverse.x, 0.5 * time);
  so = turnedAbout(so, y, z, x, inverse.y, 0.5 * time);
  so = turnedAbout(so, z, x, y, inverse.z, time);
  so = turnedAbout(so, y, z, x, inverse.y, 0.5 * time);
  so = turnedAbout(so, x, y, z, inverse.x, 0.5 * time);
  return so.turn;
}

// A rotation in two parts, after a time in which nothing changes the angular momentum.
struct Rotation {
  high: vec4f,
  low: vec4f,
}

fn rotationAfter(q: vec4f, low: vec4f, momentum: vec3f, inverse: vec3f, time: f32) -> Rotation {
  let turn = freeTurn(turned(opposite(q), momentum), inverse, time);
  var change = vec4f(
    q.w * turn.xyz - turn.less * q.xyz + cross(q.xyz, turn.xyz),
    -turn.less * q.w - dot(q.xyz, turn.xyz),
  );
  let excess = dot(q, q) - 1.0;
  if (abs(excess) > UNIT_WITHIN) {
    change -= 0.5 * excess * q;
  }
  let xyz = add(Twofold(q.xyz, low.xyz), Twofold(change.xyz, vec3f(0.0)));
  let w = add(Twofold(q.www, low.www), Twofold(change.www, vec3f(0.0)));
  return Rotation(vec4f(xyz.high, w.high.x), vec4f(xyz.low, w.low.x));
}
