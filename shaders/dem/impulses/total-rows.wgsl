// requires dem/impulses/row-motion.wgsl
// Adds the impulses of a substep to those of the step, and counts what they took out: an impulse times the mean of the
// speeds before and after. Twin: `#total` of src/dem/impulses/impulse-solver.ts. A thread per row of pairs.

@compute @workgroup_size(GROUP)
fn totalRows(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groupCount: vec3u) {
  let pair = id.x + id.y * groupCount.x * GROUP;
  if (control.stop != 0u || control.timeStep == 0.0 || pair >= params.rowRoom || groups[pair].count == 0u) {
    return;
  }
  let a = groups[pair].a;
  let b = groups[pair].b;
  var bounced = 0.0;
  var slid = 0.0;
  for (var k = 0u; k < groups[pair].count; k++) {
    let row = groups[pair].first + k;
    let n = rows[row].normal;
    let along = rows[row].along;
    let impulse = rows[row].impulse;
    let friction = rows[row].impulseAlong * along + rows[row].impulseAcross * cross(n, along);
    rows[row].pressed += impulse - groups[pair].least;
    rows[row].total += impulse * n + friction;
    let speed = speedAt(armsOf(row, a, b), a, b);
    let twice = rows[row].speed + speed;
    bounced += impulse * (0.5 * dot(n, twice) - rows[row].belt);
    slid += 0.5 * dot(friction, twice);
    rows[row].speed = speed;
  }
  groups[pair].bounced -= bounced;
  groups[pair].slid -= slid;
  if (groups[pair].rolling > 0.0 || groups[pair].torsion > 0.0) {
    let axis = groups[pair].axis;
    let along = groups[pair].along;
    let own = groups[pair].twist;
    let twist = own.x * along + own.y * cross(axis, along) + own.z * axis;
    let now = solver[b].spin - solver[a].spin;
    groups[pair].rolled -= 0.5 * dot(twist, now + groups[pair].speed);
    groups[pair].speed = now;
  }
}
