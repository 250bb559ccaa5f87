// requires contacts/convex/found.wgsl
// The number of contacts of each pair that was solved.

@compute @workgroup_size(GROUP)
fn countContacts(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i < places[0]) {
    // The list begins with its length.
    let hasFaces = faceContacts[i].normals[0].w < 0.0;
    counts[params.countsAt + list[1u + i]] = contactCount(places[1u + i]) + select(0u, 3u, hasFaces);
  }
}
