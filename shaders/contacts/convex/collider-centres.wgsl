// Centres of convex colliders less the positions of their bodies, in the world's axes; and whose they are.

const POSE = 7u;

@compute @workgroup_size(GROUP)
fn colliderCentres(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= arrayLength(&origins)) {
    return;
  }
  let at = POSE * i;
  let high = vec3f(poses[at], poses[at + 1u], poses[at + 2u]);
  let low = vec3f(rests[at], rests[at + 1u], rests[at + 2u]);
  let way = (placed[i].centre - high) + (placed[i].centreRest - low);
  // Colliders that are not convex have none.
  origins[i] = ColliderOrigin(select(vec3f(), way, spans[i].y > 0u), owners[i].x, owners[i].y);
}
