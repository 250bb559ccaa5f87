// requires broadphase/header.wgsl
// The places that a list is made of.

@compute @workgroup_size(GROUP)
fn keepBodies(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let body = id.x + id.y * groups.x * GROUP;
  if (body < header[BODIES]) {
    listedBodies[body] = bodies[body];
  }
}
