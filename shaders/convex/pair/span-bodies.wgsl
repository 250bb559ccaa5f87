// requires convex/pair/body-pose.wgsl
// Makes room for the convex bodies of each body, if some shapes have several parts. Each of them is told its body, in
// `record`, until place-bodies.wgsl places it.

@compute @workgroup_size(GROUP)
fn spanBodies(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let body = id.x + id.y * groups.x * GROUP;
  if (body >= params.bodies) {
    return;
  }
  let count = partsOf(body).y;
  var first = 0u;
  var isUsable = poseOf(body).isUsable;
  if (isUsable) {
    first = atomicAdd(&total, count);
  }
  isUsable &= first + count <= params.capacity;
  spans[body] = vec2u(first, select(0u, count, isUsable));
  for (var i = first; isUsable && i < first + count; i++) {
    bodies[i].record = body;
  }
}
