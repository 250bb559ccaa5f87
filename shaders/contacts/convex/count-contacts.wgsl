// requires contacts/convex/found.wgsl
// The number of contacts of each convex pair.

@compute @workgroup_size(GROUP)
fn countContacts(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i < places[0]) {
    counts[params.countsAt + i] = contactCount(places[1u + i]);
  }
}
