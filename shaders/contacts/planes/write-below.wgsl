// requires contacts/planes/above-plane.wgsl
// Writes a contact with a plane as a record of the list. Bindings: `colliders`, `records`.

const PLANE = 4u;
const NO_TRIANGLE = 0xffffffffu;

// `point` is less the position of the body that is no plane's.
fn writeBelow(
  to: u32,
  pair: PlanePair,
  above: Above,
  point: vec3f,
  distance: f32,
  feature: u32,
  area: f32,
  status: u32,
) {
  if (to >= arrayLength(&records)) {
    return;
  }
  let a = colliders[pair.a];
  let b = colliders[pair.b];
  let isB = pair.kind.y == 1u;
  var offset = point;
  if (isB) {
    offset += wayBetween(a.body, b.body);
  }
  records[to] = ContactRecord(
    a.body,
    b.body,
    a.part | (b.part << 16u),
    feature | select(0u, FEATURE_OF_B, isB),
    select(-above.normal, above.normal, isB),
    distance,
    offset,
    area,
    NO_TRIANGLE,
    PLANE | (status << 8u),
    vec2u(),
  );
}
