// Words of a polyhedron in the atlas. Bindings: `atlas`. src/contacts/atlas/pack-atlas.ts writes them.

const CELLS = 0u;
const LISTS = 1u;
const CORNERS = 2u;
const NORMALS = 3u;
const REFERENCES = 4u;
const STARTS = 5u;
const PAIRS = 6u;
const PAIR_TRIANGLES = 7u;
const NODES = 8u;
const NODE_TREE = 9u;
const NODE_COUNT = 10u;
const PIECES = 11u;
const PIECE_TREE = 12u;
const PIECE_COUNT = 13u;
const COUNTS = 14u;
const CELL_SIZE = 17u;
const ORIGIN = 18u;
const BOX_MIN = 21u;
const BOX_MAX = 24u;
// Steps of a candidate's bound in a cell, and units of a list's least distance.
const BOUND_STEPS = 27u;
const LEAST_UNITS = 28u;
// -1 where the mesh is inside out, else 1.
const TURN = 29u;
const TRIANGLE_TREE = 30u;
const TRIANGLE_ORDER = 31u;
const FACETS = 32u;
const PATCH_COUNT = 33u;
// Word that tells where the table of reaches along directions is.
const SUPPORT = 34u;
const SHAPE_WORDS = 35u;

// Nodes, and pieces, per cluster.
const CLUSTER = 32u;
// Balls of a tree: 2^3 of one level have one of the next above them.
const TREE_BITS = 3u;

fn numberAt(at: u32) -> f32 {
  return bitcast<f32>(atlas[at]);
}

fn vectorAt(at: u32) -> vec3f {
  return vec3f(numberAt(at), numberAt(at + 1u), numberAt(at + 2u));
}

// Place of the first word of a shape's table.
fn tableOf(shape: u32, which: u32) -> u32 {
  return atlas[SHAPE_WORDS * shape + which];
}

// Clusters of so many nodes or pieces.
fn clustersOf(members: u32) -> u32 {
  return (members + CLUSTER - 1u) / CLUSTER;
}
