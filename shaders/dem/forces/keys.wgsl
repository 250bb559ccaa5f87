// The key of a contact: four words that sort like the list. They hold kind and A, A's part, B, B's part, feature.

const NODE = 0u;
const EDGE = 1u;
const PATCH = 2u;
const NONE = 0xffffffffu;

// Kinds of contacts need three bits, numbers of bodies the others.
const KIND_SHIFT = 29u;

fn kindOf(record: ContactRecord) -> u32 {
  return record.kindAndStatus & 0xffu;
}

fn keyAs(record: ContactRecord, kind: u32, feature: u32) -> vec4u {
  let partA = record.parts & 0xffffu;
  let partB = record.parts >> 16u;
  return vec4u(
    (kind << KIND_SHIFT) | record.bodyA,
    (partA << 16u) | (record.bodyB >> 16u),
    (record.bodyB << 16u) | partB,
    feature,
  );
}

fn keyOf(record: ContactRecord) -> vec4u {
  return keyAs(record, kindOf(record), record.feature);
}

fn isBefore(one: vec4u, other: vec4u) -> bool {
  if (one.x != other.x) {
    return one.x < other.x;
  }
  if (one.y != other.y) {
    return one.y < other.y;
  }
  if (one.z != other.z) {
    return one.z < other.z;
  }
  return one.w < other.w;
}

// True if two keys are of one kind and pair of colliders.
fn isOfPair(one: vec4u, other: vec4u) -> bool {
  return all(one.xyz == other.xyz);
}
