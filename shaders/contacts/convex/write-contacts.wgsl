// requires contacts/convex/found.wgsl
// Contacts of pairs that were solved as records of the list, in the order of pairs and then of features. Twin:
// src/contacts/convex/convex-contacts.ts.

const CONVEX = 3u;
const SURE = 0u;
const IS_BOUNDED = 1u;
const IS_OPEN = 2u;
const NO_TRIANGLE = 0xffffffffu;

fn nameOf(place: u32, c: u32) -> u32 {
  return (results[RESULT * place + 2u].w >> (8u * c)) & 0xffu;
}

fn write(i: u32, at: u32, status: u32, feature: u32, distance: f32, point: vec3f) {
  if (at >= arrayLength(&records)) {
    return;
  }
  let pair = asked[i];
  let a = origins[pair.x];
  let b = origins[pair.y];
  let normal = bitcast<vec3f>(results[RESULT * places[1u + i] + 1u].xyz);
  let offset = a.centre + point;
  records[at] = ContactRecord(
    a.body,
    b.body,
    a.part | (b.part << 16u),
    feature,
    normal,
    distance,
    offset,
    0.0,
    NO_TRIANGLE,
    CONVEX | (status << 8u),
    vec2u()
  );
}

@compute @workgroup_size(GROUP)
fn writeContacts(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= places[0]) {
    return;
  }
  let place = places[1u + i];
  if (contactCount(place) == 0u) {
    return;
  }
  let first = offsets[params.countsAt + list[1u + i]];
  let status = statusAt(place);
  let lengths = lengthsAt(place);
  if (status == ITERATION_LIMIT) {
    let normal = bitcast<vec3f>(results[RESULT * place + 1u].xyz);
    let pointA = bitcast<vec3f>(results[RESULT * place + 2u].xyz);
    let own = select(IS_OPEN, IS_BOUNDED, lengths.z <= 0.0);
    // Shapes that touch may be apart by less than float32 tells.
    write(i, first, own, 0u, min(0.0, lengths.x), pointA + (0.5 * lengths.x) * normal);
    return;
  }
  let isSure = status == CONVERGED;
  let deeper = select(lengths.y - lengths.x, 0.0, isSure);
  for (var c = 0u; c < CONTACTS; c++) {
    if (isContact(place, c)) {
      let name = nameOf(place, c);
      var rank = 0u;
      for (var k = 0u; k < CONTACTS; k++) {
        let other = nameOf(place, k);
        rank += select(0u, 1u, isContact(place, k) && (other < name || (other == name && k < c)));
      }
      let contact = contacts[CONTACTS * place + c];
      write(i, first + rank, select(IS_BOUNDED, SURE, isSure), name, contact.w + deeper, contact.xyz);
    }
  }
}
