// Contacts of pairs that touch with faces as records of the list: three of each. A thread per pair that was solved.

const CONVEX = 3u;
const NO_TRIANGLE = 0xffffffffu;

@compute @workgroup_size(GROUP)
fn writeFaces(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  // The list begins with its length.
  if (i >= list[0] || i >= arrayLength(&found)) {
    return;
  }
  if (!(found[i].normals[0].w < 0.0)) {
    return;
  }
  let first = offsets[params.countsAt + list[1u + i]];
  let a = origins[asked[i].x];
  let b = origins[asked[i].y];
  for (var k = 0u; k < 3u; k++) {
    if (first + k >= arrayLength(&records)) {
      return;
    }
    let place = found[i].places[k];
    let normal = found[i].normals[k];
    records[first + k] = ContactRecord(
      a.body,
      b.body,
      a.part | (b.part << 16u),
      k,
      normal.xyz,
      normal.w,
      a.centre + place.xyz,
      place.w,
      NO_TRIANGLE,
      CONVEX | (found[i].status << 8u),
      vec2u(),
    );
  }
}
