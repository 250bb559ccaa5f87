// requires contacts/planes/write-below.wgsl
// Contacts of balls with planes, in the order of pairs. A thread per pair.

const SURE = 0u;
// `POINT` of find-corners.wgsl.
const DEEPEST_POINT = 0u;

@compute @workgroup_size(GROUP)
fn writeBallsBelow(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= params.count) {
    return;
  }
  let to = offsets[params.countsAt + i];
  if (to == offsets[params.countsAt + i + 1u]) {
    return;
  }
  let pair = pairs[i];
  let above = abovePlaneOf(pair);
  let radius = colliders[otherOf(pair)].radius;
  // Another kernel has found it below; this one may round otherwise.
  let distance = min(0.0, above.height - radius);
  let point = above.frame.origin - (radius + 0.5 * distance) * above.normal;
  writeBelow(to, pair, above, point, distance, DEEPEST_POINT, 0.0, SURE);
}
