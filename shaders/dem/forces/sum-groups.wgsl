// requires dem/copies/copies.wgsl
// requires dem/forces/hits.wgsl
// requires dem/forces/spin.wgsl
// Sums up energies of groups, and the powers of their forces at the velocities of the step's end. Thread t of `threads`
// adds up those whose first contacts are t, t + threads, ...: the same ones, whatever pairs are listed that do not
// touch.

// Keys: kind and A, A's part, B, B's part, feature, from number 2 on.
const BODY_OF_KEY = 0x1fffffffu;
const KEY_HEADER = 2u;

fn wasRemoved(body: u32) -> bool {
  let current = control.current * control.count;
  let next = (1u - control.current) * control.count;
  return state[next + body].status != PRESENT && state[current + body].status == PRESENT;
}

// Sums the energies that springs of bodies that have just been removed held in the step before.
fn removedSums(first: u32) -> ForceSums {
  var sum = ForceSums();
  let half = control.current;
  // A scene without removal planes removes nothing, so no contact is looked at.
  let count = select(0u, keys[half].x, control.planes > 0u);
  for (var i = first; i < count; i += params.threads) {
    let key = keys[KEY_HEADER + half * params.contactRoom + i];
    let a = bodyOf(key.x & BODY_OF_KEY);
    let b = bodyOf(((key.y & 0xffffu) << 16u) | (key.z >> 16u));
    if (!(wasRemoved(a) || wasRemoved(b))) {
      continue;
    }
    let at = params.memory * (half * params.contactRoom + i);
    let last = history[at];
    if (last.w > 0.0) {
      let held = 0.5 * dot(last.xyz, last.xyz / last.w);
      sum.held += held;
      sum.removed += held;
    }
    let rolled = history[at + 2u].z;
    sum.heldRolled += rolled;
    sum.removed += history[at + 1u].w + rolled;
  }
  return sum;
}

@compute @workgroup_size(GROUP)
fn sumGroups(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.threads) {
    return;
  }
  let next = 1u - control.current;
  var sum = removedSums(id.x);
  let contacts = keys[next].x;
  for (var i = id.x; i < contacts; i += params.threads) {
    // Threads that run side by side go on to the next group together.
    while (i < contacts && records[i].spare.y == NONE) {
      i += params.threads;
    }
    if (i >= contacts) {
      break;
    }
    let own = loads[records[i].spare.y];
    let a = state[next * control.count + own.a];
    let b = state[next * control.count + own.b];
    let ownA = constants[own.a];
    let ownB = constants[own.b];
    let spinA = angularVelocity(a, ownA);
    let spinB = angularVelocity(b, ownB);
    let velocity = (b.velocity - a.velocity) + (b.velocityLow - a.velocityLow);
    let belts = surfaceVelocity(b) - surfaceVelocity(a);
    var one = hitOf(own.deepest, own.a, own.b);
    one.elastic = own.elastic;
    one.tangential = own.tangential;
    one.rolled = own.rolled;
    // Forces along normals feel nothing of belts.
    one.belts = dot(own.force - own.frictionForce, belts);
    one.dashpots = -(dot(own.dashpotForce, velocity - belts)
      + dot(own.dashpotTorqueA, spinA)
      + dot(own.dashpotTorqueB, spinB));
    one.friction = -(dot(own.frictionForce, velocity)
      + dot(own.frictionTorqueA, spinA)
      + dot(own.frictionTorqueB, spinB));
    one.rolling = -dot(own.rollingTorque, spinB - spinA);
    one.open = own.open;
    if (hasAppeared(own.a) || hasAppeared(own.b)) {
      one.inserted = own.elastic;
    }
    one.largestFrequency = own.frequency;
    one.stiffestA = own.a;
    one.stiffestB = own.b;
    sum = addSums(sum, one);
  }
  sum.contacts = select(0u, contacts, id.x == 0u);
  sums[id.x] = sum;
}
