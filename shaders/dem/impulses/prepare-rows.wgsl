// requires contacts/cells-between.wgsl
// requires dem/copies/copies.wgsl
// requires dem/impulses/row-motion.wgsl
// Rows of the chosen contacts of a pair, with the impulses of the last step. Twins: `row` of
// src/dem/impulses/row-solver.ts, `#remember` and `#roll` of src/dem/impulses/impulse-solver.ts. A thread per row of
// pairs.

// Directions square to a unit normal. Twin: `setPlane`.
fn alongOf(n: vec3f) -> vec3f {
  return normalize(select(vec3f(-n.z, 0.0, n.x), vec3f(0.0, n.z, -n.y), abs(n.x) < 0.6));
}

// How many bodies a body is split into.
fn splitsOf(body: u32, colour: u32) -> f32 {
  return select(1.0, solver[body].splits, colour == params.colours);
}

// Change of angular velocity about an axis by a unit of angular momentum about it.
fn turnSoftness(body: u32, axis: vec3f) -> f32 {
  return dot(axis, mat3x3f(solver[body].inverse0, solver[body].inverse1, solver[body].inverse2) * axis);
}

// Change of the speed along a unit vector, at an arm, that a unit impulse along it makes.
fn softness(body: u32, arm: vec3f, axis: vec3f, colour: u32) -> f32 {
  return splitsOf(body, colour) * (solver[body].inverseMass + turnSoftness(body, cross(arm, axis)));
}

@compute @workgroup_size(GROUP)
fn prepareRows(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groupCount: vec3u) {
  let pair = id.x + id.y * groupCount.x * GROUP;
  if (control.stop != 0u || control.timeStep == 0.0 || pair >= params.rowRoom || groups[pair].count == 0u) {
    return;
  }
  let first = groups[pair].first;
  let count = groups[pair].count;
  let colour = groups[pair].colour;
  let a = groups[pair].a;
  let b = groups[pair].b;
  let some = picks[pair].contacts[0].x;
  let placeA = plus(Cells(solver[a].cell, solver[a].fraction), shiftOf(records[some].bodyA));
  let placeB = plus(Cells(solver[b].cell, solver[b].fraction), shiftOf(records[some].bodyB));
  let way = control.cell * wayInCells(placeA.cell, placeA.fraction, placeB.cell, placeB.fraction);
  let belts = solver[b].surface - solver[a].surface;
  let g = gravities[control.row].now - 0.5 * gravities[control.row].change;
  let slowest = params.bounceFalls * length(g) * control.timeStep;
  let h = control.timeStep / f32(params.substeps);
  var pressing = vec3f();
  for (var k = 0u; k < count; k++) {
    let contact = picks[pair].contacts[k >> 2u][k & 3u];
    let record = records[contact];
    let n = record.normal;
    pressing += n;
    var row = ImpulseRow();
    row.normal = n;
    row.contact = contact;
    row.along = alongOf(n);
    let across = cross(n, row.along);
    row.foundA = record.offset - solver[a].centroid;
    row.foundB = row.foundA - way;
    row.found = record.distance;
    row.mass = 1.0 / (softness(a, row.foundA, n, colour) + softness(b, row.foundB, n, colour));
    row.massAlong = 1.0 / (softness(a, row.foundA, row.along, colour) + softness(b, row.foundB, row.along, colour));
    row.massAcross = 1.0 / (softness(a, row.foundA, across, colour) + softness(b, row.foundB, across, colour));
    row.belt = dot(n, belts);
    row.speed = speedAt(RowArms(row.foundA, row.foundB, 0.0), a, b);
    let opening = dot(n, row.speed) - row.belt;
    row.bounce = select(0.0, -opening * groups[pair].restitution, -opening > slowest);
    let last = control.current * params.contactRoom + contact;
    row.impulse = h * history[last].force;
    row.impulseAlong = h * dot(history[last].friction, row.along);
    row.impulseAcross = h * dot(history[last].friction, across);
    rows[first + k] = row;
  }
  if (groups[pair].rolling == 0.0 && groups[pair].torsion == 0.0) {
    return;
  }
  let size = length(pressing);
  if (size == 0.0) {
    groups[pair].rolling = 0.0;
    groups[pair].torsion = 0.0;
    return;
  }
  let axis = pressing / size;
  let along = alongOf(axis);
  let across = cross(axis, along);
  groups[pair].axis = axis;
  groups[pair].along = along;
  groups[pair].speed = solver[b].spin - solver[a].spin;
  let splitsA = splitsOf(a, colour);
  let splitsB = splitsOf(b, colour);
  groups[pair].massAlong = 1.0 / (splitsA * turnSoftness(a, along) + splitsB * turnSoftness(b, along));
  groups[pair].massAcross = 1.0 / (splitsA * turnSoftness(a, across) + splitsB * turnSoftness(b, across));
  groups[pair].massAbout = 1.0 / (splitsA * turnSoftness(a, axis) + splitsB * turnSoftness(b, axis));
  // That of the pair's first contact, which need not be chosen.
  let kept = history[control.current * params.contactRoom + picks[pair].first].rolling;
  groups[pair].twist = h * vec3f(dot(kept, along), dot(kept, across), dot(kept, axis));
}
