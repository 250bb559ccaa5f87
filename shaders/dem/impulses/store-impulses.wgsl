// requires dem/impulses/row-motion.wgsl
// Stores what contacts remember of a step, and its mean loads. Twins: `end` and `load` of
// src/dem/impulses/row-solver.ts. A thread per row of pairs.

@compute @workgroup_size(GROUP)
fn storeImpulses(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groupCount: vec3u) {
  let pair = id.x + id.y * groupCount.x * GROUP;
  if (control.stop != 0u || control.timeStep == 0.0 || pair >= params.rowRoom) {
    return;
  }
  let count = groups[pair].count;
  // A row's loads have its number here.
  places[pair] = select(pair + 1u, 0u, count == 0u);
  if (count == 0u) {
    return;
  }
  // Behind both halves: a step that is given up changes neither.
  let to = 2u * params.contactRoom;
  let range = ranges[1u + control.current * params.rowRoom + pair];
  let nodes = range.y - range.x;
  let wanted = nodes + range.w - range.z;
  let some = select(range.z, range.x, nodes > 0u);
  for (var k = 0u; k < wanted; k++) {
    let i = to + select(range.z + k - nodes, range.x + k, k < nodes);
    history[i].friction = vec3f();
    history[i].force = 0.0;
    history[i].rolling = vec3f();
  }
  // Mean forces of the last substep, as the next one may be shorter.
  let perTime = f32(params.substeps) / control.timeStep;
  let a = groups[pair].a;
  let b = groups[pair].b;
  var force = vec3f();
  var torqueA = vec3f();
  var torqueB = vec3f();
  for (var k = 0u; k < count; k++) {
    let row = groups[pair].first + k;
    let along = rows[row].along;
    let across = cross(rows[row].normal, along);
    history[to + rows[row].contact].force = perTime * rows[row].impulse;
    history[to + rows[row].contact].friction =
      perTime * (rows[row].impulseAlong * along + rows[row].impulseAcross * across);
    let arms = armsOf(row, a, b);
    let own = rows[row].total / control.timeStep;
    force += own;
    torqueA -= cross(arms.a, own);
    torqueB += cross(arms.b, own);
  }
  let axis = groups[pair].axis;
  let along = groups[pair].along;
  let twist = groups[pair].twist;
  history[to + some].rolling = perTime * (twist.x * along + twist.y * cross(axis, along) + twist.z * axis);
  loads[pair].a = a;
  loads[pair].b = b;
  loads[pair].first = some;
  loads[pair].force = force;
  loads[pair].torqueA = torqueA;
  loads[pair].torqueB = torqueB;
}
