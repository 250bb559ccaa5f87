/**
 * Whether saved tables can be walked: numbers in them are indices. Other contents are not checked: the file's checksum
 * vouches for them.
 */
import { PAIR_FLOATS, REFERENCE_FLOATS } from '../../inside/cell-grid/tables.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { SUPPORT_CELLS } from '../surface/constants.ts';
import {
  CLUSTER,
  NO_NEIGHBOUR,
  NORMAL_FLOATS,
  type SurfaceArrays,
  TREE_CHILDREN,
} from '../surface/surface-arrays.ts';
import { BOX_FLOATS, BOX_WORDS, COUNT_BITS, type TriangleTree } from '../surface/triangle-tree.ts';
import { CELL_REST, CellCode, LIST_HEADER, type SavedTables } from './field-arrays.ts';

type Field = SavedTables['field'];

/** Says which entry leads out of the tables, or undefined. */
export function savedTablesDefect(
  { sharpAngle, surface, field, tree }: SavedTables,
  { triangleCount }: TriangleMesh,
): string | undefined {
  const { spacing, area, volume, missedOverlap } = surface;
  const { frame, box, reach } = field;
  const numbers = [sharpAngle, spacing, area, volume, missedOverlap, surface.patchCount, reach, frame.scale];
  const odd = [...numbers, ...surface.middle, ...frame.shift, ...box.min, ...box.max].find(
    (x) => !Number.isFinite(x),
  );
  if (odd !== undefined) return `the number ${odd} found, expected a finite one`;
  return (
    lengthsDefect(surface, field, tree, triangleCount) ??
    surfaceDefect(surface, triangleCount) ??
    gridDefect(field) ??
    pairsDefect(field, triangleCount) ??
    listsDefect(field, triangleCount) ??
    treeDefect(tree, triangleCount)
  );
}

/** Floats of a tree of balls over clusters. */
function ballFloats(clusters: number): number {
  let balls = clusters;
  for (let level = clusters; level > 1; balls += level) level = Math.ceil(level / TREE_CHILDREN);
  return 4 * balls;
}

function lengthsDefect(
  surface: SurfaceArrays,
  field: Field,
  tree: TriangleTree,
  triangles: number,
): string | undefined {
  const nodes = surface.weights.length;
  const pieces = surface.edgeTriangles.length / 2;
  const mixed = field.starts.length - 1;
  const pairs = field.pairTriangles.length;
  const boxes = tree.links.length / BOX_WORDS;
  const lengths: readonly (readonly [name: string, found: number, expected: number])[] = [
    ['nodes', surface.nodes.length, 3 * nodes],
    ['nodeTree', surface.nodeTree.length, ballFloats(Math.ceil(nodes / CLUSTER))],
    ['edges', surface.edges.length, 6 * pieces],
    ['edgeTree', surface.edgeTree.length, ballFloats(Math.ceil(pieces / CLUSTER))],
    ['patches', surface.patches.length, triangles],
    ['neighbours', surface.neighbours.length, 3 * triangles],
    ['normals', surface.normals.length, NORMAL_FLOATS * triangles],
    ['support', surface.support.length, 6 * (SUPPORT_CELLS + 1) ** 2],
    ['cells', field.cells.length, field.grid.counts.reduce((product, n) => product * n, 1)],
    ['corners', field.corners.length, 9 * triangles],
    ['references', field.references.length, REFERENCE_FLOATS * mixed],
    ['pairs', field.pairs.length, PAIR_FLOATS * pairs],
    ['boxes', tree.boxes.length, BOX_FLOATS * boxes],
    ['order', tree.order.length, triangles],
    ['ranks', tree.ranks.length, triangles],
  ];
  const wrong = lengths.find(([, found, expected]) => found !== expected);
  return wrong && `${wrong[1]} numbers in ${wrong[0]} found, expected ${wrong[2]}`;
}

/** The first of some numbers that is not below a limit. */
function beyond(what: string, values: Uint32Array, limit: number): string | undefined {
  const at = values.findIndex((value) => value >= limit);
  return at < 0 ? undefined : `${what} ${at} is ${values[at]}, expected less than ${limit}`;
}

function surfaceDefect(surface: SurfaceArrays, triangles: number): string | undefined {
  const across = surface.neighbours.filter((triangle) => triangle !== NO_NEIGHBOUR);
  return (
    beyond('triangle of piece', surface.edgeTriangles, triangles) ??
    beyond('patch', surface.patches, surface.patchCount) ??
    beyond('neighbour', across, triangles)
  );
}

function gridDefect({ grid: { origin, cell, counts }, box }: Field): string | undefined {
  const isGrid =
    cell > 0 &&
    [...origin, cell].every(Number.isFinite) &&
    counts.every((n) => Number.isInteger(n) && n >= 1);
  if (!isGrid) return `${counts.join(' x ')} cells of size ${cell} found, expected a grid`;
  const k = [0, 1, 2].find((axis) => !((box.max[axis]! - origin[axis]!) / cell < counts[axis]! + 1));
  return k === undefined
    ? undefined
    : `${counts[k]} cells along ${'xyz'[k]} found, expected to cover the body`;
}

function pairsDefect({ starts, pairTriangles }: Field, triangles: number): string | undefined {
  for (let m = 0, before = 0; m < starts.length; m++) {
    const isLast = m === starts.length - 1;
    if (
      starts[m]! < before ||
      (m === 0 && starts[m] !== 0) ||
      (isLast && starts[m] !== pairTriangles.length)
    ) {
      return `start ${starts[m]} of mixed cell ${m} found, expected ascending ones to ${pairTriangles.length}`;
    }
    before = starts[m]!;
  }
  return beyond('triangle of pair', pairTriangles, triangles);
}

/** Lists follow each other, and cells have places where one begins. */
function listsDefect({ cells, lists, starts }: Field, triangles: number): string | undefined {
  const begins = new Uint8Array(lists.length);
  for (let at = 0; at < lists.length; ) {
    const end = at + LIST_HEADER + lists[at]!;
    if (lists[at] === 0 || !(end <= lists.length)) {
      return `a list of ${lists[at]} candidates at ${at} found, expected 1 or more within ${lists.length}`;
    }
    begins[at] = 1;
    for (let n = at + LIST_HEADER; n < end; n++) {
      if (lists[n]! >>> 8 >= triangles)
        return `candidate ${lists[n]! >>> 8} found, expected less than ${triangles}`;
    }
    at = end;
  }
  for (let c = 0; c < cells.length; c++) {
    const code = cells[c]! >>> 30;
    const rest = cells[c]! & CELL_REST;
    const isRight =
      code === CellCode.outside
        ? rest <= MOST_OUTSIDE
        : code === CellCode.deep
          ? rest < triangles
          : begins[rest] === 1 &&
            lists[rest + 2]! < (code === CellCode.mixed ? starts.length - 1 : MOST_LEVELS);
    if (!isRight) return `word ${cells[c]} of cell ${c} found, expected one of a list or a triangle`;
  }
  return undefined;
}

/** The largest byte, and levels of blocks of a grid of 2^32 cells along an axis. */
const [MOST_OUTSIDE, MOST_LEVELS] = [255, 32];

function treeDefect({ links, order, ranks }: TriangleTree, triangles: number): string | undefined {
  const boxes = links.length / BOX_WORDS;
  for (let b = 0; b < boxes; b++) {
    const next = links[BOX_WORDS * b]!;
    const leaf = links[BOX_WORDS * b + 1]!;
    const end = (leaf >>> COUNT_BITS) + (leaf % 2 ** COUNT_BITS);
    if (!(next > b && next <= boxes && end <= triangles) || (b === 0 && next !== boxes)) {
      return `box ${b} with links ${next} and ${leaf} found, expected ones to later boxes and ${triangles} triangles`;
    }
  }
  if (boxes < 1) return 'no boxes found, expected one or more';
  const at = order.findIndex((triangle, rank) => ranks[triangle] !== rank);
  return at < 0 ? undefined : `triangle ${order[at]} of rank ${at} found, expected one that has that rank`;
}
