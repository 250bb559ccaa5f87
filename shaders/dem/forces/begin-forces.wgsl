// Numbers of a step's contacts: none where steps have stopped.

@compute @workgroup_size(GROUP)
fn beginForces(@builtin(global_invocation_id) id: vec3u) {
  if (id.x != 0u) {
    return;
  }
  let count = select(0u, min(header[0], params.contactRoom), control.stop == 0u);
  tally.contacts = count;
  tally.entries = 0u;
  ranges[0] = vec4u();
  // The half of the step under way.
  keys[1u - control.current] = vec4u(count, 0u, 0u, 0u);
}
