// requires dem/impulses/row-motion.wgsl
// A pass over the pairs of one colour, which have no moving body in common. Twins: `#repeat`, `#solve` and `#bounce` of
// src/dem/impulses/impulse-solver.ts, `rub` and `hit` of src/dem/impulses/row-solver.ts. A thread per row of pairs and
// a colour at a time, or one thread for all.
//
// Pairs past the last colour are solved at once: each sees its bodies split, one part for each such pair, and
// `join-splits` gives the bodies what came out (R. Tonge et al., "Mass splitting for jitter-free parallel rigid body
// simulation", 2012).

// Kinds of passes: `Pass` of src/dem/gpu/impulses/impulses-on-device.ts.
const REPEAT = 0u;
const PUSH = 1u;
const RELAX = 2u;
const BOUNCE = 3u;

struct Side {
  body: u32,
  // Number of parts that the body is split into, of which the pair sees one.
  splits: f32,
  velocity: vec3f,
  spin: vec3f,
  momentum: vec3f,
  // Inverse mass and moments of that part.
  inverseMass: f32,
  inverse: mat3x3f,
  // Impulses that it was given, in all.
  push: vec3f,
  turn: vec3f,
}

var<private> sides: array<Side, 2>;
// Energy that impulses have brought in, and the share of driven bodies.
var<private> gained: f32;
var<private> driven: f32;

fn beginSide(side: u32, body: u32, colour: u32) {
  let splits = select(1.0, solver[body].splits, colour == params.colours);
  sides[side] = Side(
    body,
    splits,
    solver[body].velocity,
    solver[body].spin,
    solver[body].momentum,
    splits * solver[body].inverseMass,
    splits * mat3x3f(solver[body].inverse0, solver[body].inverse1, solver[body].inverse2),
    vec3f(),
    vec3f(),
  );
}

// Gives a body an impulse and an angular one. The result is both times the change of speeds that they make in the whole
// body.
fn give(side: u32, push: vec3f, turn: vec3f) -> f32 {
  sides[side].push += push;
  sides[side].turn += turn;
  if (sides[side].inverseMass == 0.0) {
    return 0.0;
  }
  let velocity = sides[side].inverseMass * push;
  let spin = sides[side].inverse * turn;
  sides[side].velocity += velocity;
  sides[side].spin += spin;
  sides[side].momentum += turn;
  return (dot(push, velocity) + dot(turn, spin)) / sides[side].splits;
}

// Gives B an impulse and an angular one beside its arm's, A the opposites. `speed` is that of the contact: the energy
// that comes in is returned.
fn exchange(arms: RowArms, push: vec3f, twist: vec3f, speed: vec3f) -> f32 {
  let turning = dot(twist, sides[1].spin - sides[0].spin);
  let square = give(0u, -push, -cross(arms.a, push) - twist) + give(1u, push, cross(arms.b, push) + twist);
  let energy = dot(push, speed) + turning + 0.5 * square;
  gained += energy;
  return energy;
}

fn speedNow(arms: RowArms) -> vec3f {
  return (sides[1].velocity - sides[0].velocity) +
    (cross(sides[1].spin, arms.b) - cross(sides[0].spin, arms.a));
}

// Work of driven bodies: by an impulse along the normal, which belts do not feel, and one along the plane.
fn drive(arms: RowArms, push: vec3f, friction: vec3f) {
  for (var side = 0u; side < 2u; side++) {
    let body = sides[side].body;
    if (solver[body].isDriven == 1u) {
      let moving = sides[side].velocity + cross(sides[side].spin, select(arms.a, arms.b, side == 1u));
      let work = dot(friction, moving) + dot(push, moving - solver[body].surface);
      driven += select(work, -work, side == 1u);
    }
  }
}

fn driveTurn(twist: vec3f) {
  for (var side = 0u; side < 2u; side++) {
    if (solver[sides[side].body].isDriven == 1u) {
      let work = dot(twist, sides[side].spin);
      driven += select(work, -work, side == 1u);
    }
  }
}

// An impulse along the plane, cut back to the circle of friction.
fn inCircle(v: vec2f, most: f32) -> vec2f {
  let size = length(v);
  return select(v, v * (most / size), size > most);
}

fn solveRow(row: u32, pair: u32) {
  let n = rows[row].normal;
  let along = rows[row].along;
  let across = cross(n, along);
  let arms = armsOf(row, sides[0].body, sides[1].body);
  let least = groups[pair].least;
  let isBounce = params.kind == BOUNCE;
  var old = vec3f(rows[row].impulse, rows[row].impulseAlong, rows[row].impulseAcross);
  if (isBounce) {
    if (!(rows[row].bounce > 0.0 && rows[row].pressed > 0.0)) {
      return;
    }
    old = rows[row].bounced;
  }
  let speed = speedNow(arms);
  let opening = dot(n, speed) - rows[row].belt;
  var now = old;
  // The part of it that bodies have been given.
  var before = vec3f();
  if (params.kind == REPEAT) {
    if (all(old == vec3f())) {
      return;
    }
  } else if (isBounce) {
    now.x = max(0.0, old.x + rows[row].mass * (rows[row].bounce - opening));
    before = old;
  } else {
    let perTime = f32(params.substeps) / control.timeStep;
    var bias = 0.0;
    var massShare = 1.0;
    var impulseShare = 0.0;
    if (arms.distance > 0.0) {
      bias = arms.distance * perTime;
    } else if (params.kind == PUSH) {
      bias = max(params.rate * perTime * min(arms.distance + groups[pair].left, 0.0), -groups[pair].push);
      massShare = params.massShare;
      impulseShare = params.impulseShare;
    }
    now.x = max(least, old.x - rows[row].mass * massShare * (opening + bias) - impulseShare * old.x);
    before = old;
  }
  // Along the normal first. Belts do not feel it.
  let push = (now.x - before.x) * n;
  let taken = exchange(arms, push, vec3f(), speed - rows[row].belt * n);
  drive(arms, push, vec3f());
  let sliding = speedNow(arms);
  if (params.kind != REPEAT) {
    let press = select(now.x - least, now.x, isBounce);
    let most = groups[pair].friction * press;
    let wanted = old.yz -
      vec2f(rows[row].massAlong * dot(sliding, along), rows[row].massAcross * dot(sliding, across));
    let kept = inCircle(wanted, most);
    now.y = kept.x;
    now.z = kept.y;
  }
  let friction = (now.y - before.y) * along + (now.z - before.z) * across;
  let rubbed = exchange(arms, friction, vec3f(), sliding);
  drive(arms, vec3f(), friction);
  if (isBounce) {
    rows[row].bounced = now;
    rows[row].total += push + friction;
    groups[pair].bounced -= taken;
    groups[pair].slid -= rubbed;
  } else {
    rows[row].impulse = now.x;
    rows[row].impulseAlong = now.y;
    rows[row].impulseAcross = now.z;
  }
}

// Rolling and torsion of a pair. Twin: `#rollGroup`.
fn roll(pair: u32) {
  let axis = groups[pair].axis;
  let along = groups[pair].along;
  let across = cross(axis, along);
  let old = groups[pair].twist;
  var now = old;
  var before = vec3f();
  if (params.kind != REPEAT) {
    before = old;
    var press = 0.0;
    for (var k = 0u; k < groups[pair].count; k++) {
      press += rows[groups[pair].first + k].impulse - groups[pair].least;
    }
    let turning = sides[1].spin - sides[0].spin;
    let wanted = old - vec3f(
      groups[pair].massAlong * dot(along, turning),
      groups[pair].massAcross * dot(across, turning),
      groups[pair].massAbout * dot(axis, turning),
    );
    let rolling = inCircle(wanted.xy, groups[pair].rolling * press);
    let torsion = groups[pair].torsion * press;
    now = vec3f(rolling, max(-torsion, min(torsion, wanted.z)));
    groups[pair].twist = now;
  }
  let change = now - before;
  let twist = change.x * along + change.y * across + change.z * axis;
  driveTurn(twist);
  exchange(RowArms(), vec3f(), twist, vec3f());
}

fn solvePair(pair: u32, colour: u32) {
  gained = 0.0;
  driven = 0.0;
  beginSide(0u, groups[pair].a, colour);
  beginSide(1u, groups[pair].b, colour);
  for (var k = 0u; k < groups[pair].count; k++) {
    solveRow(groups[pair].first + k, pair);
  }
  if (params.kind != BOUNCE && (groups[pair].rolling > 0.0 || groups[pair].torsion > 0.0)) {
    roll(pair);
  }
  groups[pair].driven += driven;
  if (colour == params.colours) {
    groups[pair].splitPush = sides[1].push;
    groups[pair].splitTurnA = sides[0].turn;
    groups[pair].splitTurnB = sides[1].turn;
    return;
  }
  groups[pair].gained += gained;
  for (var side = 0u; side < 2u; side++) {
    if (sides[side].inverseMass > 0.0) {
      let body = sides[side].body;
      solver[body].velocity = sides[side].velocity;
      solver[body].spin = sides[side].spin;
      solver[body].momentum = sides[side].momentum;
    }
  }
}

@compute @workgroup_size(GROUP)
fn solveRows(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groupCount: vec3u) {
  let thread = id.x + id.y * groupCount.x * GROUP;
  if (control.stop != 0u || control.timeStep == 0.0 || thread >= params.threads) {
    return;
  }
  for (var colour = params.first; colour <= params.last; colour++) {
    let end = firsts[colour + 1u];
    for (var at = firsts[colour] + thread; at < end; at += params.threads) {
      solvePair(order[at], colour);
    }
  }
}
