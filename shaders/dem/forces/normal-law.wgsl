// requires dem/forces/inverse-length.wgsl
// requires dem/forces/keys.wgsl
// requires dem/forces/pair-law.wgsl
// Gives the force along the normal, by depth: docs/dem.md, "Contact laws". Twins: `add` of
// src/dem/forces/batch-forces.ts, src/dem/forces/pair-laws.ts. Depths may be 0 or so small that squares are flushed:
// nothing is divided by them.

const FEATURE_OF_B = 0x80000000u;
const EDGE_WIDTH_SHARE = 0x1p-6f;
const PI = 3.14159265f;

// Numbers of a pair of materials, as `PairNumber`.
const PAIR_NUMBERS = 8u;
const MODULUS = 0u;
const TANGENTIAL = 1u;
const DAMPING = 2u;
const FRICTION = 3u;
const ROLLING_FRICTION = 4u;
const TORSIONAL_FRICTION = 5u;
const COHESION = 6u;
const LAW = 7u;

fn numberAt(at: u32) -> f32 {
  return bitcast<f32>(tables[at]);
}

// Numbers of the law that all contacts of a group share.
struct GroupLaw {
  // Place of the pair's numbers.
  numbers: u32,
  isFoundation: bool,
  // Stiffness per area.
  foundation: f32,
  // Shares of the foundation that the nodes of A and of B stand for.
  shareA: f32,
  shareB: f32,
  // Width of the strips that edges stand for.
  width: f32,
  modulus: f32,
  radius: f32,
  cohesion: f32,
  // Number of the user's own law; 0: none.
  own: u32,
}

struct NormalLaw {
  // Force of springs alone, which push.
  force: f32,
  // Force of cohesion.
  pull: f32,
  stiffness: f32,
  // Energy of springs and cohesion, and of springs alone.
  energy: f32,
  held: f32,
}

// Place of the lengths of a body's part: its nodes' spacing, then halves of its edges' pieces.
fn lengthsAt(body: u32, part: u32) -> u32 {
  return tables[params.collidersAt + tables[params.bodiesAt + body] + part];
}

// The part of the foundation that the nodes of one side stand for. Twin: `nodeShare`.
fn nodeShare(own: f32, other: f32) -> f32 {
  let ratio = own / other;
  return 1.0 / (1.0 + ratio * ratio * ratio);
}

fn groupLaw(first: ContactRecord, a: BodyConstants, b: BodyConstants) -> GroupLaw {
  let kind = kindOf(first);
  var shareA = 0.0;
  var shareB = 0.0;
  if (kind == NODE) {
    let spacingA = numberAt(lengthsAt(first.bodyA, first.parts & 0xffffu));
    let spacingB = numberAt(lengthsAt(first.bodyB, first.parts >> 16u));
    shareA = nodeShare(spacingA, spacingB);
    shareB = nodeShare(spacingB, spacingA);
  }
  let numbers = PAIR_NUMBERS * (a.material * params.materials + b.material);
  let layerA = select(a.radius, b.radius, a.radius == 0.0);
  let layerB = select(b.radius, a.radius, b.radius == 0.0);
  let softA = layerA / numberAt(params.moduliAt + a.material);
  let softB = layerB / numberAt(params.moduliAt + b.material);
  return GroupLaw(
    numbers,
    kind == EDGE || first.area > 0.0,
    1.0 / (softA + softB),
    shareA,
    shareB,
    EDGE_WIDTH_SHARE * min(layerA, layerB),
    numberAt(numbers + MODULUS),
    1.0 / (inverseLength(a.curvature) + inverseLength(b.curvature)),
    numberAt(numbers + COHESION),
    u32(numberAt(numbers + LAW)),
  );
}

// Half the length of the piece of a sharp edge that a contact is of.
fn halfPiece(record: ContactRecord) -> f32 {
  let isB = record.feature >= FEATURE_OF_B;
  let body = select(record.bodyA, record.bodyB, isB);
  let part = select(record.parts & 0xffffu, record.parts >> 16u, isB);
  return numberAt(lengthsAt(body, part) + 1u + ((record.feature & ~FEATURE_OF_B) >> 1u));
}

fn normalLaw(record: ContactRecord, law: GroupLaw) -> NormalLaw {
  let depth = max(0.0, -record.distance);
  let kind = kindOf(record);
  if (!law.isFoundation) {
    let found = pairLaw(law.own, depth, 0.0, LawParameters(law.modulus, law.radius, 0.0));
    // Over Hertz's area of contact, pi R d.
    let pull = law.cohesion * PI * law.radius * depth;
    return NormalLaw(found.x, pull, found.y, found.z - 0.5 * pull * depth, found.z);
  }
  // A plane has no nodes of its own.
  var factor = 1.0;
  if (kind == NODE) {
    factor = select(law.shareA, law.shareB, record.feature >= FEATURE_OF_B);
  }
  if (kind == EDGE) {
    factor = 0.5;
  }
  var area = record.area;
  // Growth of the depth per length along the normal. 0 is possible, as it is for depths.
  var slope = 1.0;
  var pull = factor * law.cohesion * area;
  if (kind == EDGE) {
    let piece = halfPiece(record);
    area = law.width * piece;
    slope = record.area / piece;
    // Nodes pull for all of the surface.
    pull = 0.0;
  }
  let found = pairLaw(law.own, depth, area, LawParameters(law.modulus, 0.0, factor * law.foundation));
  return NormalLaw(slope * found.x, pull, slope * slope * found.y, found.z - pull * depth, found.z);
}
