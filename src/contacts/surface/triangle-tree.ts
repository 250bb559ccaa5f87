/**
 * A tree of boxes over a polyhedron's triangles: those near a place are found in the order of the tree, each once,
 * however large they are against each other.
 */
import { mortonOrder } from './clusters.ts';

/** Triangles per leaf, at most: a box is worth as much as two or three triangles. */
const LEAF = 4;

/** Floats and words per box of a tree. */
export const BOX_FLOATS = 6;
export const BOX_WORDS = 2;
/** Bits of a box's second word that are a number of triangles. */
export const COUNT_BITS = 3;

/** Plain arrays, which threads may share. Boxes come depth first, each before those in it. Coordinates are local. */
export interface TriangleTree {
  /** `[boxes * 6]`: least and greatest corner. */
  readonly boxes: Float32Array;
  /**
   * `[boxes * 2]`: the number of the first box that is not within this one; of a leaf the rank of its first triangle,
   * times 2^COUNT_BITS, and their number. Other boxes have 0 there.
   */
  readonly links: Uint32Array;
  /** `[triangles]`: triangles by their ranks, the order of the leaves. */
  readonly order: Uint32Array;
  /** `[triangles]`: the rank of each triangle. */
  readonly ranks: Uint32Array;
}

/** @param corners `[triangles * 9]` */
export function makeTriangleTree(corners: Float32Array): TriangleTree {
  const count = corners.length / 9;
  const middles = Float64Array.from({ length: 3 * count }, (_, i) => {
    const at = 9 * Math.floor(i / 3) + (i % 3);
    return corners[at]! + corners[at + 3]! + corners[at + 6]!;
  });
  const order = mortonOrder(middles);
  const ranks = new Uint32Array(count);
  for (let rank = 0; rank < count; rank++) ranks[order[rank]!] = rank;
  const boxCount = 2 * Math.ceil(count / LEAF) - 1;
  const boxes = new Float32Array(BOX_FLOATS * boxCount);
  const links = new Uint32Array(BOX_WORDS * boxCount);
  let next = 0;
  const grow = (box: number, points: Float32Array, at: number) => {
    for (let k = 0; k < 3; k++) {
      boxes[box + k] = Math.min(boxes[box + k]!, points[at + k]!);
      boxes[box + 3 + k] = Math.max(boxes[box + 3 + k]!, points[at + k]!);
    }
  };
  const build = (first: number, end: number): number => {
    const number = next++;
    const box = BOX_FLOATS * number;
    boxes.fill(Infinity, box, box + 3).fill(-Infinity, box + 3, box + 6);
    if (end - first <= LEAF) {
      for (let rank = first; rank < end; rank++) {
        for (let c = 0; c < 9; c += 3) grow(box, corners, 9 * order[rank]! + c);
      }
      links[BOX_WORDS * number + 1] = first * 2 ** COUNT_BITS + end - first;
    } else {
      const half = first + LEAF * Math.ceil((end - first) / LEAF / 2);
      for (const child of [build(first, half), build(half, end)]) {
        grow(box, boxes, BOX_FLOATS * child);
        grow(box, boxes, BOX_FLOATS * child + 3);
      }
    }
    links[BOX_WORDS * number] = next;
    return number;
  };
  build(0, count);
  return { boxes, links, order, ranks };
}

/** Calls `look` with the ranks of all triangles in leaves within a distance of a point, in order. */
export function eachNear(
  { boxes, links }: TriangleTree,
  x: number,
  y: number,
  z: number,
  reach: number,
  look: (rank: number) => void,
): void {
  const end = links[0]!;
  for (let box = 0; box < end; ) {
    const at = BOX_FLOATS * box;
    const dx = Math.max(0, boxes[at]! - x, x - boxes[at + 3]!);
    const dy = Math.max(0, boxes[at + 1]! - y, y - boxes[at + 4]!);
    const dz = Math.max(0, boxes[at + 2]! - z, z - boxes[at + 5]!);
    if (dx * dx + dy * dy + dz * dz > reach * reach) {
      box = links[BOX_WORDS * box]!;
      continue;
    }
    const leaf = links[BOX_WORDS * box + 1]!;
    const first = leaf >>> COUNT_BITS;
    for (let i = 0; i < leaf % 2 ** COUNT_BITS; i++) look(first + i);
    box++;
  }
}
