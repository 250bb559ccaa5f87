// requires contacts/field/shape.wgsl
// The tree of boxes over a polyhedron's triangles. Twin: src/contacts/surface/triangle-tree.ts.

const TREE_WORDS = 8u;
const COUNT_BITS = 3u;
const NO_BOX = 0xffffffffu;
// Words of a facet: patch, and the ranks of three neighbours.
const FACET_WORDS = 4u;

// The first leaf from a box on that is within a distance of a point.
fn leafFrom(shape: u32, box: u32, p: vec3f, reach: f32) -> u32 {
  let tree = tableOf(shape, TRIANGLE_TREE);
  let end = atlas[tree + 6u];
  var at = box;
  while (at < end) {
    let words = tree + TREE_WORDS * at;
    let beyond = max(max(vectorAt(words) - p, p - vectorAt(words + 3u)), vec3f(0.0));
    if (dot(beyond, beyond) > reach * reach) {
      at = atlas[words + 6u];
      continue;
    }
    if (atlas[words + 7u] != 0u) {
      return at;
    }
    at++;
  }
  return NO_BOX;
}

// The rank of a leaf's first triangle, and the one behind its last.
fn ranksOf(shape: u32, leaf: u32) -> vec2u {
  let word = atlas[tableOf(shape, TRIANGLE_TREE) + TREE_WORDS * leaf + 7u];
  let first = word >> COUNT_BITS;
  return vec2u(first, first + (word & ((1u << COUNT_BITS) - 1u)));
}

fn triangleAt(shape: u32, rank: u32) -> u32 {
  return atlas[tableOf(shape, TRIANGLE_ORDER) + rank];
}

fn patchOf(shape: u32, triangle: u32) -> u32 {
  return atlas[tableOf(shape, FACETS) + FACET_WORDS * triangle];
}

// The rank of the triangle of the same patch over a side, or a number above all.
fn neighbourOf(shape: u32, triangle: u32, side: u32) -> u32 {
  return atlas[tableOf(shape, FACETS) + FACET_WORDS * triangle + 1u + side];
}
