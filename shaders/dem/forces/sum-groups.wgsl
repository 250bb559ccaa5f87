// requires dem/forces/add-sums.wgsl
// requires dem/forces/spin.wgsl
// Energies of groups, and what their forces take at the velocities of the step's end. Thread t of `threads` adds up the
// groups t, t + threads, ...

@compute @workgroup_size(GROUP)
fn sumGroups(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.threads) {
    return;
  }
  let next = 1u - control.current;
  var sum = ForceSums();
  for (var g = id.x; g < ranges[0].x; g += params.threads) {
    let own = loads[g];
    let a = state[next * control.count + own.a];
    let b = state[next * control.count + own.b];
    let ownA = constants[own.a];
    let ownB = constants[own.b];
    let spinA = angularVelocity(a, ownA);
    let spinB = angularVelocity(b, ownB);
    let velocity = (b.velocity - a.velocity) + (b.velocityLow - a.velocityLow);
    var one = ForceSums();
    one.elastic = own.elastic;
    one.tangential = own.tangential;
    one.dashpots = -(dot(own.dashpotForce, velocity)
      + dot(own.dashpotTorqueA, spinA)
      + dot(own.dashpotTorqueB, spinB));
    one.friction = -(dot(own.frictionForce, velocity)
      + dot(own.frictionTorqueA, spinA)
      + dot(own.frictionTorqueB, spinB));
    one.rolling = -dot(own.rollingTorque, spinB - spinA);
    one.open = own.open;
    one.deepest = own.deepest;
    // Walls have none.
    let smaller = min(ownA.radius, ownB.radius);
    let radius = select(smaller, max(ownA.radius, ownB.radius), smaller == 0.0);
    one.deepestShare = own.deepest / radius;
    one.deepestA = own.a;
    one.deepestB = own.b;
    one.largestFrequency = own.frequency;
    one.stiffestA = own.a;
    one.stiffestB = own.b;
    sum = addSums(sum, one);
  }
  sums[id.x] = sum;
}
