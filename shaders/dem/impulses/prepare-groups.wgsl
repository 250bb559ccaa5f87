// requires dem/forces/inverse-length.wgsl
// Prepares the numbers that the rows of a pair have in common. Twins: `row` of src/dem/impulses/row-solver.ts, `#roll`
// of src/dem/impulses/impulse-solver.ts. A thread per row of pairs.

// Numbers of a pair of materials: `packImpulseTable`.
const NUMBERS = 8u;
const FRICTION = 0u;
const ROLLING = 1u;
const TORSION = 2u;
const COHESION = 3u;
const RESTITUTION = 4u;
// Above any radius.
const FAR = 3e38f;

@compute @workgroup_size(GROUP)
fn prepareGroups(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groupCount: vec3u) {
  let row = id.x + id.y * groupCount.x * GROUP;
  if (control.stop != 0u || control.timeStep == 0.0 || row >= params.rowRoom) {
    return;
  }
  var group = ImpulseGroup();
  let count = picks[row].count;
  if (count > 0u) {
    let pair = picks[row].bodies;
    group.a = pair.x;
    group.b = pair.y;
    group.first = offsets[row];
    group.count = count;
    group.colour = min(colours[row].state & 0xffu, params.colours);
    let numbers = NUMBERS * (solver[pair.x].material * params.materials + solver[pair.y].material);
    let radiusA = solver[pair.x].radius;
    let radiusB = solver[pair.y].radius;
    let radius = min(select(radiusA, FAR, radiusA == 0.0), select(radiusB, FAR, radiusB == 0.0));
    group.friction = table[numbers + FRICTION];
    group.left = params.left * radius;
    group.push = params.push * radius / control.timeStep;
    let h = control.timeStep / f32(params.substeps);
    group.least = -table[numbers + COHESION] * picks[row].pullArea * h / f32(count);
    let rollRadius = 1.0 / (inverseLength(radiusA) + inverseLength(radiusB));
    group.rolling = table[numbers + ROLLING] * rollRadius;
    group.torsion = table[numbers + TORSION] * rollRadius;
    group.restitution = table[numbers + RESTITUTION];
  }
  groups[row] = group;
}
