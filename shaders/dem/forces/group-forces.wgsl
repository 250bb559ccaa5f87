// requires common/from-item-to-item.wgsl
// requires contacts/cells-between.wgsl
// requires dem/copies/copies.wgsl
// requires dem/forces/find-record.wgsl
// requires dem/forces/normal-law.wgsl
// requires dem/forces/spin.wgsl
// Sums up the forces of a pair of colliders: of all its contacts, and against rolling. Twin: `ContactForces` of
// src/dem/forces/contact-forces.ts. A thread goes from row to row.
//
// Places are relative to A's centroid, or B's. The way between both is an exact difference of integers, rounded once.

const ROLLING_STIFFNESS = 2.25f;
const ROLLING_DAMPING = 0.3f;
const SURE_OR_DEEP = 0x9u;
const HAS_PARTS = 4u;
const PLANE = 4u;
// Words of the first vec4u of `ranges`.
const ROWS = 0u;
const TOUCHING = 1u;
const CONTACTS = 2u;

// Length of a vector whose squares may be flushed or overflow.
fn amount(v: vec3f) -> f32 {
  let most = max(max(abs(v.x), abs(v.y)), abs(v.z));
  return select(most * length(v / most), 0.0, most == 0.0);
}

// A vector of the step before, in the plane of this normal, turned with both bodies and of the same length. `spin` is
// how far they turn about the normal.
fn carried(v: vec3f, n: vec3f, spin: f32) -> vec3f {
  let flat = v - dot(v, n) * n;
  let turnedV = flat + spin * cross(n, flat);
  let size = amount(turnedV);
  return select(vec3f(), (amount(v) / size) * turnedV, size > 0.0);
}

// Energy of a spring of this stiffness, with this force.
fn heldBy(force: vec3f, stiffness: f32) -> f32 {
  return select(0.0, 0.5 * dot(force, force / stiffness), stiffness > 0.0);
}

// v . I^-1 v of a vector in the world's axes.
fn inverseInertia(body: MotionBody, constants: BodyConstants, v: vec3f) -> f32 {
  let own = turned(opposite(body.rotation), v);
  return dot(constants.inverseMoments, own * own);
}

// 1 / moment of inertia about a contact, at a body's radius from its centroid.
fn inverseAboutContact(body: BodyConstants) -> f32 {
  if (body.inverseMass == 0.0) {
    return 0.0;
  }
  let mean = dot(body.inverseMoments, vec3f(1.0 / 3.0));
  return 1.0 / (1.0 / mean + body.radius * body.radius / body.inverseMass);
}

// Sums over the springs of a pair's contacts.
struct PairSprings {
  // Stiffness of the springs times their place from A's position, and their stiffness.
  weighted: vec3f,
  stiffness: f32,
  // Force on B, and the energy that the springs hold, without cohesion.
  push: vec3f,
  held: f32,
}

fn addSpring(sum: PairSprings, record: ContactRecord, law: GroupLaw) -> PairSprings {
  let own = normalLaw(record, law);
  return PairSprings(
    sum.weighted + own.stiffness * record.offset,
    sum.stiffness + own.stiffness,
    sum.push + own.force * record.normal,
    sum.held + own.held,
  );
}

// Springs of all contacts of two bodies, in whichever groups. Contacts of A are in the order of its parts, then of
// partners: those of other partners that lie between are passed over.
fn jointSprings(first: ContactRecord, a: BodyConstants, b: BodyConstants, count: u32) -> PairSprings {
  var sum = PairSprings();
  for (var kind = NODE; kind <= PLANE; kind++) {
    var sought = first;
    sought.parts = 0u;
    var at = recordFrom(keyAs(sought, kind, 0u), 0u, count);
    while (at < count) {
      let record = records[at];
      if (kindOf(record) != kind || record.bodyA != first.bodyA) {
        break;
      }
      if (record.bodyB == first.bodyB) {
        sum = addSpring(sum, record, groupLaw(record, a, b));
        at++;
        continue;
      }
      sought.parts = (record.parts & 0xffffu) + select(0u, 1u, record.bodyB > first.bodyB);
      at = recordFrom(keyAs(sought, kind, 0u), at + 1u, count);
    }
  }
  return sum;
}

// The contacts of a row, in the half of the step under way.
fn rangeOf(row: u32) -> vec4u {
  let at = 4u * (1u + (1u - control.current) * params.rowRoom + row);
  return vec4u(
    atomicLoad(&ranges[at]), atomicLoad(&ranges[at + 1u]), atomicLoad(&ranges[at + 2u]), atomicLoad(&ranges[at + 3u]),
  );
}

// Word of a row's place in `loads`.
fn placeAt(row: u32) -> u32 {
  return 4u * (1u + 2u * params.rowRoom) + row;
}

// True if a row has no contacts, and so no loads. Nothing is left of longer lists.
fn hasNone(row: u32) -> bool {
  atomicStore(&ranges[placeAt(row)], 0u);
  let range = rangeOf(row);
  return row >= atomicLoad(&ranges[ROWS]) || (range.x == range.y && range.z == range.w);
}

// Gives a row a place in `loads`: any one, as nothing depends on their order. Where lists ran over it is beyond them.
fn takePlace(row: u32) -> u32 {
  let place = atomicAdd(&ranges[TOUCHING], 1u);
  atomicStore(&ranges[placeAt(row)], select(0u, place + 1u, place < params.touchingRoom));
  return place;
}

@compute @workgroup_size(GROUP)
fn groupForces(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (control.stop != 0u) {
    return;
  }
  let step = threadsIn(groups);
  for (var row = threadOf(id, groups); row < params.rowRoom; row += step) {
    while (row < params.rowRoom && hasNone(row)) {
      row += step;
    }
    if (row >= params.rowRoom) {
      break;
    }
    let range = rangeOf(row);
    let count = range.y - range.x;
    let wanted = count + range.w - range.z;
    let some = select(range.z, range.x, count > 0u);
    let first = records[some];
    let next = 1u - control.current;
    let bodyA = bodyOf(first.bodyA);
    let bodyB = bodyOf(first.bodyB);
    let a = state[next * control.count + bodyA];
    let b = state[next * control.count + bodyB];
    let ownA = constants[bodyA];
    let ownB = constants[bodyB];
    let law = groupLaw(first, ownA, ownB);
    var springs = PairSprings();
    for (var k = 0u; k < wanted; k++) {
      let i = select(range.z + k - count, range.x + k, k < count);
      springs = addSpring(springs, records[i], law);
    }
    let stiffness = springs.stiffness;
    // Springs of all contacts of both bodies, which have one dashpot.
    var joint = springs;
    if (((ownA.flags | ownB.flags) & HAS_PARTS) != 0u) {
      joint = jointSprings(first, ownA, ownB, atomicLoad(&ranges[CONTACTS]));
    }
    let time = control.timeStep;
    let spinA = angularVelocity(a, ownA);
    let spinB = angularVelocity(b, ownB);
    let between = (b.velocity - a.velocity) + (b.velocityLow - a.velocityLow);
    let belts = surfaceVelocity(b) - surfaceVelocity(a);
    // From A's position to its centroid, and from A's centroid to B's.
    let centroid = turned(a.rotation, turned(ownA.shapeToPrincipal, ownA.centroid));
    let placeA = plus(Cells(a.cell, a.fraction), shiftOf(first.bodyA));
    let placeB = plus(Cells(b.cell, b.fraction), shiftOf(first.bodyB));
    let way = control.cell * wayInCells(placeA.cell, placeA.fraction, placeB.cell, placeB.fraction);
    // A law of a caller's own may have no stiffness where it pushes: the place of the first contact.
    let middleA = select(first.offset, joint.weighted / joint.stiffness, joint.stiffness > 0.0) - centroid;
    let middleB = middleA - way;
    // The pair's force moves both along itself, through where its stiffness acts.
    let pushSize = amount(joint.push);
    let direction = select(vec3f(), joint.push / pushSize, pushSize > 0.0);
    let inverseMass = ownA.inverseMass
      + ownB.inverseMass
      + inverseInertia(a, ownA, cross(middleA, direction))
      + inverseInertia(b, ownB, cross(middleB, direction));
    let damped = 2.0 * numberAt(law.numbers + DAMPING);
    // The product may underflow to 0 on a sliver of a face, where the energy held does not.
    let twiceHeld = 2.0 * joint.held * inverseMass;
    let perForce = select(0.0, damped / sqrt(twiceHeld), twiceHeld > 0.0);
    let friction = numberAt(law.numbers + FRICTION);
    let tangentialRatio = numberAt(law.numbers + TANGENTIAL);
    let memory = params.memory;
    let historyFrom = control.current * params.contactRoom * memory;
    let historyTo = next * params.contactRoom * memory;
    var sum = GroupLoads();
    sum.a = bodyA;
    sum.b = bodyB;
    sum.first = some;
    sum.frequency = sqrt(joint.stiffness * inverseMass);
    var press = 0.0;
    var pressed = vec3f();
    for (var k = 0u; k < wanted; k++) {
      let i = select(range.z + k - count, range.x + k, k < count);
      let record = records[i];
      let found = normalLaw(record, law);
      let n = record.normal;
      let armA = record.offset - centroid;
      let armB = armA - way;
      sum.elastic += found.energy;
      sum.deepest = max(sum.deepest, -record.distance);
      sum.open += 1u - ((SURE_OR_DEEP >> (record.kindAndStatus >> 8u)) & 1u);
      let velocity = between + cross(spinB, armB) - cross(spinA, armA);
      let opening = dot(velocity - belts, n);
      let damping = perForce * found.force;
      let pushed = max(0.0, found.force - damping * opening);
      let sliding = velocity - dot(velocity, n) * n;
      let spring = found.stiffness * tangentialRatio;
      var s = vec3f();
      if (record.spare.x != NONE) {
        // The spring of before, in this plane and turned with both bodies.
        let last = history[historyFrom + memory * record.spare.x];
        if (last.w > 0.0) {
          s = min(1.0, spring / last.w) * carried(last.xyz, n, 0.5 * time * dot(spinA + spinB, n));
        }
      }
      s -= (spring * time) * sliding;
      var along = s - (damping * sqrt(tangentialRatio)) * sliding;
      let most = friction * pushed;
      let size = amount(along);
      if (size > most) {
        along *= most / size;
        // The spring yields by itself: what the dashpot holds of the force is lost, and nothing of it is stored.
        let held = amount(s);
        if (held > most) {
          s *= most / held;
        }
      }
      let to = historyTo + memory * i;
      history[to] = vec4f(s, spring);
      if (memory > 1u) {
        // The first contact's rolling spring is written below. Zeros take the place of bytes of steps that were given
        // up.
        history[to + 1u] = vec4f(vec3f(), found.energy);
        history[to + 2u] = vec4f();
      }
      sum.tangential += heldBy(s, spring);
      let force = (pushed - found.pull) * n + along;
      sum.force += force;
      sum.torqueA -= cross(armA, force);
      sum.torqueB += cross(armB, force);
      let lost = (pushed - found.force) * n;
      sum.dashpotForce += lost;
      sum.dashpotTorqueA -= cross(armA, lost);
      sum.dashpotTorqueB += cross(armB, lost);
      sum.frictionForce += along;
      sum.frictionTorqueA -= cross(armA, along);
      sum.frictionTorqueB += cross(armB, along);
      press += pushed;
      pressed += pushed * n;
    }
    // Rolling and torsion: springs of a group that yield.
    let size = amount(pressed);
    if (size > 0.0) {
      let n = pressed / size;
      let radius = 1.0 / (inverseLength(ownA.radius) + inverseLength(ownB.radius));
      let moment = 1.0 / (inverseAboutContact(ownA) + inverseAboutContact(ownB));
      let turn = dot(spinB - spinA, n) * n;
      var olds = array<vec3f, 2>(vec3f(), vec3f());
      if (first.spare.y != NONE && memory > 1u) {
        let last = historyFrom + memory * first.spare.y;
        let old = history[last + 2u];
        if (old.y > 0.0) {
          let weaker = min(1.0, stiffness / old.y);
          olds[0] = weaker * carried(history[last + 1u].xyz, n, 0.5 * time * dot(spinA + spinB, n));
          olds[1] = weaker * old.x * n;
        }
      }
      var kept = array<vec3f, 2>(vec3f(), vec3f());
      for (var part = 0u; part < 2u; part++) {
        let coefficient = numberAt(law.numbers + ROLLING_FRICTION + part);
        if (coefficient == 0.0) {
          continue;
        }
        let reach = coefficient * radius;
        let spring = ROLLING_STIFFNESS * (reach * reach) * stiffness;
        let damping = 2.0 * ROLLING_DAMPING * sqrt(spring * moment);
        let rolled = select(spinB - spinA - turn, turn, part == 1u);
        var m = olds[part] - (spring * time) * rolled;
        let most = reach * press;
        let amountOfM = amount(m);
        // The dashpot fades as the spring comes near to where it yields.
        var fading = 0.0;
        if (amountOfM < most) {
          let share = amountOfM / most;
          fading = damping * (1.0 - share * share);
        } else if (amountOfM > 0.0) {
          m *= most / amountOfM;
        }
        let torque = m - fading * rolled;
        kept[part] = m;
        sum.rolled += heldBy(m, spring);
        sum.rollingTorque += torque;
      }
      if (memory > 1u) {
        let to = historyTo + memory * some;
        history[to + 1u] = vec4f(kept[0], history[to + 1u].w);
        history[to + 2u] = vec4f(dot(kept[1], n), stiffness, sum.rolled, 0.0);
      }
      sum.torqueA -= sum.rollingTorque;
      sum.torqueB += sum.rollingTorque;
    }
    let place = takePlace(row);
    if (place < params.touchingRoom) {
      loads[place] = sum;
    }
    // For those that sum up groups in the order of their contacts.
    records[some].spare.y = place;
  }
}
