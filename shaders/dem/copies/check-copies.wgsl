// requires contacts/cells-between.wgsl
// Tells whether copies have to be decided on anew: a body has moved by half the margin since, or comes or goes. Twin:
// `#isStale` of src/dem/cpu/copies.ts. A thread per body.

@compute @workgroup_size(GROUP)
fn checkCopies(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let body = id.x + id.y * groups.x * GROUP;
  if (body >= control.count || control.stop != 0u) {
    return;
  }
  let now = state[(1u - control.current) * control.count + body];
  let then = places[control.current * control.count + body];
  let way = wayInCells(then.cell, then.fraction, now.cell, now.fraction);
  if (now.status != then.status || dot(way, way) > params.most * params.most) {
    atomicStore(&isStale, 1u);
  }
}
