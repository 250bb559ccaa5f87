/**
 * All polyhedra as one table of words, for kernels: eight bindings do not take a body's tables each on its own.
 * shaders/contacts/field/shape.wgsl has the same numbers.
 */
import { InputError } from '../../errors.ts';
import { BOUND_STEP, LEAST_DISTANCE_UNIT } from '../field/constants.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';

/** Words of a shape's header. */
const SHAPE_WORDS = 32;
/** Words per node: place and weight. */
const NODE_WORDS = 4;

/** The tables of a shape, in the order of their places in its header. */
function tablesOf({ surface, field }: PolyhedronArrays): (Uint32Array | Float32Array)[] {
  const { cells, lists, corners, references, starts, pairs, pairTriangles } = field;
  const { weights, edges, normals } = surface;
  const shifted = (points: Float32Array, perPoint: number) => intoFrame(points, perPoint, field.frame.shift);
  const nodes = new Float32Array(NODE_WORDS * weights.length);
  const places = shifted(surface.nodes, 3);
  for (let i = 0; i < weights.length; i++) {
    nodes.set(places.subarray(3 * i, 3 * i + 3), NODE_WORDS * i);
    nodes[NODE_WORDS * i + 3] = weights[i]!;
  }
  return [
    ...[cells, lists, corners, normals, references, starts, pairs, pairTriangles],
    ...[nodes, shifted(surface.nodeClusters, 4), shifted(edges, 3), shifted(surface.edgeClusters, 4)],
  ];
}

/** Points, each followed by numbers of its own, less a shift. */
function intoFrame(
  points: Float32Array,
  perPoint: number,
  shift: readonly [number, number, number],
): Float32Array {
  return points.map((x, i) => (i % perPoint < 3 ? x - shift[i % perPoint]! : x));
}

/** Where a shape's frame on the GPU has its origin, in the mesh's frame. */
export function originOnGpu({ field }: PolyhedronArrays): readonly [number, number, number] {
  return field.frame.shift;
}

/**
 * Packs polyhedra: a header of `SHAPE_WORDS` each, then their tables.
 *
 * @throws InputError for a shape whose coordinates are so large or small that its tables are scaled
 */
export function packAtlas(polyhedra: readonly PolyhedronArrays[]): Uint32Array<ArrayBuffer> {
  const tables = polyhedra.map(tablesOf);
  const words = tables.flat().reduce((sum, { length }) => sum + length, SHAPE_WORDS * polyhedra.length);
  const atlas = new Uint32Array(words);
  const floats = new Float32Array(atlas.buffer);
  let at = SHAPE_WORDS * polyhedra.length;
  polyhedra.forEach(({ name, field, surface }, shape) => {
    const { grid, box, frame } = field;
    if (frame.scale !== 1) {
      throw new InputError(
        `${name}: coordinates are far from 1, expected a unit of length nearer to the body's size`,
      );
    }
    const starts = tables[shape]!.map((table) => {
      const start = at;
      atlas.set(new Uint32Array(table.buffer, table.byteOffset, table.length), at);
      at += table.length;
      return start;
    });
    const [cells, lists, corners, normals, references, first, pairs, pairTriangles, ...rest] = starts;
    const [nodes, nodeClusters, pieces, pieceClusters] = rest;
    const header = SHAPE_WORDS * shape;
    atlas.set([cells!, lists!, corners!, normals!, references!, first!, pairs!, pairTriangles!], header);
    atlas.set([nodes!, nodeClusters!, surface.weights.length], header + 8);
    atlas.set([pieces!, pieceClusters!, surface.edges.length / 6, ...grid.counts], header + 11);
    floats.set([grid.cell, ...grid.origin, ...box.min, ...box.max], header + 17);
    floats.set([1 / BOUND_STEP, 1 / LEAST_DISTANCE_UNIT, Math.sign(surface.volume) || 1], header + 27);
  });
  return atlas;
}
