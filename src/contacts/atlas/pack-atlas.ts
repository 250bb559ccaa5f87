/** All polyhedra as one table of words, for kernels: eight bindings do not take a body's tables each on its own. */
import { writeToArrayBuffer } from 'typegpu';
import { sizeOf } from 'typegpu/data';
import { InputError } from '../../errors.ts';
import type { Device } from '../../gpu/device.ts';
import { limitError } from '../../gpu/limits.ts';
import { BOUND_STEP, LEAST_DISTANCE_UNIT } from '../field/constants.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { NO_NEIGHBOUR, type SurfaceArrays } from '../surface/surface-arrays.ts';
import { BOX_FLOATS, BOX_WORDS, type TriangleTree } from '../surface/triangle-tree.ts';
import { PolyhedronHeader } from './header.ts';

/** Words of a shape's header. */
const SHAPE_WORDS = sizeOf(PolyhedronHeader) / 4;
/** Words per node: place and weight. */
const NODE_WORDS = 4;
/** Words per box of a tree of triangles, and of each triangle: its patch, three neighbours. */
const TREE_WORDS = BOX_FLOATS + BOX_WORDS;
const FACET_WORDS = 4;

/**
 * The tables of a shape that are copied as they are, or moved by the shift. Nodes are apart: they get their weights.
 */
function tablesOf({ surface, field, tree }: PolyhedronArrays) {
  const { cells, lists, corners, references, starts, pairs, pairTriangles } = field;
  const shifted = (points: Float32Array, perPoint: number) => intoFrame(points, perPoint, field.frame.shift);
  const nodes = new Float32Array(NODE_WORDS * surface.weights.length);
  const places = shifted(surface.nodes, 3);
  for (let i = 0; i < surface.weights.length; i++) {
    nodes.set(places.subarray(3 * i, 3 * i + 3), NODE_WORDS * i);
    nodes[NODE_WORDS * i + 3] = surface.weights[i]!;
  }
  return {
    ...{ cells, lists, corners, normals: surface.normals, references, starts, pairs, pairTriangles, nodes },
    nodeTree: shifted(surface.nodeTree, 4),
    pieces: shifted(surface.edges, 3),
    pieceTree: shifted(surface.edgeTree, 4),
    triangleTree: treeWords(tree),
    triangleOrder: tree.order,
    facets: facetsOf(surface, tree),
    support: surface.support,
  };
}

/** Packs each box of a tree with its links behind it. */
function treeWords({ boxes, links }: TriangleTree): Uint32Array {
  const words = new Uint32Array((TREE_WORDS * links.length) / BOX_WORDS);
  const floats = new Float32Array(words.buffer);
  for (let at = 0, box = 0; at < words.length; at += TREE_WORDS, box++) {
    floats.set(boxes.subarray(BOX_FLOATS * box, BOX_FLOATS * (box + 1)), at);
    words.set(links.subarray(BOX_WORDS * box, BOX_WORDS * (box + 1)), at + BOX_FLOATS);
  }
  return words;
}

/** Patch of each triangle, and the ranks of its neighbours. */
function facetsOf({ patches, neighbours }: SurfaceArrays, { ranks }: TriangleTree): Uint32Array {
  const rankOf = (triangle: number) => (triangle === NO_NEIGHBOUR ? NO_NEIGHBOUR : ranks[triangle]!);
  return Uint32Array.from({ length: FACET_WORDS * ranks.length }, (_, i) => {
    const [triangle, word] = [Math.floor(i / FACET_WORDS), i % FACET_WORDS];
    return word === 0 ? patches[triangle]! : rankOf(neighbours[3 * triangle + word - 1]!);
  });
}

/** Points, each followed by numbers of its own, less a shift. */
function intoFrame(
  points: Float32Array,
  perPoint: number,
  shift: readonly [number, number, number],
): Float32Array {
  return points.map((x, i) => (i % perPoint < 3 ? x - shift[i % perPoint]! : x));
}

/** Origin of a shape's frame on the GPU, in the mesh's frame. */
export function originOnGpu({ field }: PolyhedronArrays): readonly [number, number, number] {
  return field.frame.shift;
}

/** Words of a polyhedron in the atlas. */
function wordsOf({ surface, field, tree }: PolyhedronArrays): number {
  const { cells, lists, corners, references, starts, pairs, pairTriangles } = field;
  const { normals, nodeTree, edges, edgeTree, support, weights } = surface;
  const copied = [cells, lists, corners, references, starts, pairs, pairTriangles];
  return [...copied, normals, nodeTree, edges, edgeTree, support].reduce(
    (sum, { length }) => sum + length,
    SHAPE_WORDS +
      NODE_WORDS * weights.length +
      (1 + FACET_WORDS) * tree.order.length +
      (TREE_WORDS * tree.links.length) / BOX_WORDS,
  );
}

/**
 * Packs polyhedra: a `PolyhedronHeader` each, then their tables.
 *
 * @throws InputError for a shape whose coordinates are so large or small that its tables are scaled
 */
export function packAtlas(polyhedra: readonly PolyhedronArrays[]): Uint32Array<ArrayBuffer> {
  const atlas = new Uint32Array(polyhedra.reduce((sum, poly) => sum + wordsOf(poly), 0));
  let at = SHAPE_WORDS * polyhedra.length;
  polyhedra.forEach((poly, shape) => {
    const { grid, box, frame } = poly.field;
    if (frame.scale !== 1) {
      const largest = [...poly.box.min, ...poly.box.max].reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      throw new InputError(
        `${poly.name}: coordinates up to ${largest} found, expected 2^-40 to 2^40 on a GPU: choose another unit of ` +
          'length, or backend cpu',
      );
    }
    const tables = tablesOf(poly);
    const places = {} as Record<keyof typeof tables, number>;
    for (const [name, table] of Object.entries(tables) as [keyof typeof tables, Uint32Array][]) {
      places[name] = at;
      atlas.set(new Uint32Array(table.buffer, table.byteOffset, table.length), at);
      at += table.length;
    }
    const header = new ArrayBuffer(4 * SHAPE_WORDS);
    const [countX, countY, countZ] = grid.counts;
    const [originX, originY, originZ] = grid.origin;
    const [boxMinX, boxMinY, boxMinZ] = box.min;
    const [boxMaxX, boxMaxY, boxMaxZ] = box.max;
    writeToArrayBuffer(header, PolyhedronHeader, {
      ...places,
      ...{ nodeCount: poly.surface.weights.length, pieceCount: poly.surface.edges.length / 6 },
      ...{ countX, countY, countZ, cellSize: grid.cell, originX, originY, originZ },
      ...{ boxMinX, boxMinY, boxMinZ, boxMaxX, boxMaxY, boxMaxZ },
      ...{ boundSteps: 1 / BOUND_STEP, leastUnits: 1 / LEAST_DISTANCE_UNIT },
      ...{ turn: poly.surface.volume < 0 ? -1 : 1, patchCount: poly.surface.patchCount },
    });
    atlas.set(new Uint32Array(header), SHAPE_WORDS * shape);
  });
  return atlas;
}

/** Shapes that an error names. */
const MOST_NAMED = 3;

/**
 * @throws DeviceError `limits` where the atlas is larger than a binding: it names the largest shapes, their bytes, and
 *   what to ask for
 */
export function requireAtlasRoom(
  { limits }: Pick<Device, 'limits'>,
  polyhedra: readonly PolyhedronArrays[],
): void {
  const sizes = polyhedra.map((poly) => ({ name: poly.name, bytes: 4 * wordsOf(poly) }));
  const needed = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const tooSmall = (['maxBufferSize', 'maxStorageBufferBindingSize'] as const).filter(
    (name) => limits[name] < needed,
  );
  if (tooSmall.length === 0) return;
  const largest = sizes.sort((a, b) => b.bytes - a.bytes).slice(0, MOST_NAMED);
  const told = largest.map(({ name, bytes }) => `${name}: ${bytes}`).join(', ');
  const most = Math.min(...tooSmall.map((name) => limits[name]));
  throw limitError({
    problem:
      `tables of ${polyhedra.length} polyhedra: needs a buffer of ${needed} bytes (largest ${told}), ` +
      `the device allows ${most}`,
    limits: tooSmall,
    needed,
    instead: "backend: 'cpu'",
  });
}
