/**
 * The evaluation tree of the fast multipole method and its lists: cubic cells (clusters sigma of Muth et al., section
 * 2.1.2) of the same lattice as the source tree's, refined without knowing the points. Each has its interaction list,
 * the source clusters of its own level that are admissible to it but whose parents were not admissible to its parent;
 * each leaf has its near field, ranges of triangles. Every triangle is so met exactly once from every leaf.
 */

import { InputError } from '../../errors.ts';
import { CELL_RADIUS } from './bounds.ts';
import { LONGEST_TREE_LIST, MOST_CONVERSION_OFFSET } from './constants.ts';
import type { SourceTree } from './tree.ts';

export interface EvaluationTree {
  /** Level of the finest cell. */
  readonly depth: number;
  /** Level of each cell. Cells stand level after level, siblings together: octants x first, then y, then z. */
  readonly levels: Uint8Array;
  /** `[i, j, k]` of each cell in its level. */
  readonly cells: Uint16Array;
  /** The cell's parent; 0 for the root. */
  readonly parents: Uint32Array;
  /** First of the cell's eight children; 0 for a leaf. */
  readonly firstChildren: Uint32Array;
  /** Interactions of cell s are `interactionStarts[s] .. interactionStarts[s + 1] - 1`. */
  readonly interactionStarts: Uint32Array;
  /** Source cluster of each interaction. */
  readonly sources: Uint32Array;
  /** Number of its offset, from the source's cell to the target's. */
  readonly tables: Uint16Array;
  /** `[i, j, k]` of each offset that occurs. */
  readonly offsets: Int8Array;
  /** Near field of leaf s: ranges `nearStarts[s] .. nearStarts[s + 1] - 1`; none for other cells. */
  readonly nearStarts: Uint32Array;
  /** `[first, last]` of each range: triangles first .. last - 1 of the source tree's order. */
  readonly nearRanges: Uint32Array;
}

/** A list of 32-bit integers that grows, and can be cut back. */
class IntList {
  readonly #most: number;
  #items = new Int32Array(1024);
  length = 0;

  /** @param most entries that it may have */
  constructor(most = LONGEST_TREE_LIST) {
    this.#most = most;
  }

  get items(): Int32Array {
    return this.#items;
  }

  /**
   * The items, with room for `more` behind the last one.
   *
   * @throws InputError where the list grows beyond what a tree may have
   */
  reserve(more: number): Int32Array {
    if (this.length + more > this.#most) {
      throw new InputError(
        `the evaluation tree has lists of more than ${this.#most} entries, the most there may be: ` +
          'expected a smaller depth or separation',
      );
    }
    if (this.length + more > this.#items.length) {
      const items = new Int32Array(2 * (this.length + more));
      items.set(this.#items);
      this.#items = items;
    }
    return this.#items;
  }

  push(value: number): void {
    this.reserve(1)[this.length++] = value;
  }
}

const SPAN = 2 * MOST_CONVERSION_OFFSET + 1;

/** Grows an evaluation tree cell by cell; which cells are refined is up to the caller. */
export class EvaluationTreeBuilder {
  readonly #tree: SourceTree;
  /** (d + 1)^2 of eq. 16. */
  readonly #separation: number;
  readonly #levels: IntList;
  readonly #cells: IntList;
  readonly #parents: IntList;
  readonly #firstChildren: IntList;
  readonly #interactionEnds: IntList;
  readonly #sources: IntList;
  readonly #offsets: IntList;
  readonly #nearEnds: IntList;
  readonly #near: IntList;
  readonly #nearTriangles: IntList;

  /**
   * The tree of one cell.
   *
   * @param d separation of eq. 16, above 1
   * @param longestList entries that a list may have
   */
  constructor(tree: SourceTree, d: number, longestList?: number) {
    this.#tree = tree;
    this.#levels = new IntList(longestList);
    this.#cells = new IntList(longestList);
    this.#parents = new IntList(longestList);
    this.#firstChildren = new IntList(longestList);
    this.#interactionEnds = new IntList(longestList);
    this.#sources = new IntList(longestList);
    this.#offsets = new IntList(longestList);
    this.#nearEnds = new IntList(longestList);
    this.#near = new IntList(longestList);
    this.#nearTriangles = new IntList(longestList);
    this.#separation = (d + 1) ** 2;
    const triangles = tree.order.length;
    this.#add(0, 0, 0, 0, 0);
    if (triangles > 0) this.#near.push(0);
    this.#close(triangles);
  }

  /** Number of cells. */
  get count(): number {
    return this.#levels.length;
  }

  level(cell: number): number {
    return this.#levels.items[cell]!;
  }

  place(cell: number, axis: number): number {
    return this.#cells.items[3 * cell + axis]!;
  }

  firstChild(cell: number): number {
    return this.#firstChildren.items[cell]!;
  }

  nearTriangles(cell: number): number {
    return this.#nearTriangles.items[cell]!;
  }

  interactions(cell: number): number {
    return this.#interactionEnds.items[cell]! - (cell === 0 ? 0 : this.#interactionEnds.items[cell - 1]!);
  }

  #add(level: number, parent: number, i: number, j: number, k: number): void {
    this.#levels.push(level);
    this.#parents.push(parent);
    this.#firstChildren.push(0);
    for (const place of [i, j, k]) this.#cells.push(place);
  }

  #close(nearTriangles: number): void {
    this.#interactionEnds.push(this.#sources.length);
    this.#nearEnds.push(this.#near.length);
    this.#nearTriangles.push(nearTriangles);
  }

  /** Children of the source clusters in a cell's near field: what its own children would be tested against. */
  nearChildren(cell: number): number {
    const { childStarts } = this.#tree;
    const near = this.#near.items;
    let count = 0;
    for (let n = cell === 0 ? 0 : this.#nearEnds.items[cell - 1]!; n < this.#nearEnds.items[cell]!; n++)
      count += childStarts[near[n]! + 1]! - childStarts[near[n]!]!;
    return count;
  }

  /**
   * Refines a leaf above the source tree's depth; its children are the last eight cells.
   *
   * @throws InputError where lists grow longer than they may: the tree is of no use then
   */
  refine(cell: number): void {
    const { childStarts, cells, firsts, lasts, radii } = this.#tree;
    const separation = this.#separation;
    const most = this.nearChildren(cell);
    this.#firstChildren.items[cell] = this.count;
    const level = this.level(cell) + 1;
    const nearFirst = cell === 0 ? 0 : this.#nearEnds.items[cell - 1]!;
    const nearLast = this.#nearEnds.items[cell]!;
    for (let octant = 0; octant < 8; octant++) {
      const i = 2 * this.place(cell, 0) + (octant & 1);
      const j = 2 * this.place(cell, 1) + ((octant >> 1) & 1);
      const k = 2 * this.place(cell, 2) + (octant >> 2);
      this.#add(level, cell, i, j, k);
      const near = this.#near.reserve(most);
      const sources = this.#sources.reserve(most);
      const offsets = this.#offsets.reserve(most);
      let nearLength = this.#near.length;
      let length = this.#sources.length;
      let triangles = 0;
      for (let n = nearFirst; n < nearLast; n++) {
        const parent = near[n]!;
        const last = childStarts[parent + 1]!;
        for (let source = childStarts[parent]!; source < last; source++) {
          const di = i - cells[3 * source]!;
          const dj = j - cells[3 * source + 1]!;
          const dk = k - cells[3 * source + 2]!;
          const radius = radii[source]! > CELL_RADIUS ? radii[source]! : CELL_RADIUS;
          if (
            di * di + dj * dj + dk * dk > separation * radius * radius &&
            Math.max(Math.abs(di), Math.abs(dj), Math.abs(dk)) <= MOST_CONVERSION_OFFSET
          ) {
            sources[length] = source;
            offsets[length++] =
              (di + MOST_CONVERSION_OFFSET) * SPAN * SPAN +
              (dj + MOST_CONVERSION_OFFSET) * SPAN +
              (dk + MOST_CONVERSION_OFFSET);
          } else {
            near[nearLength++] = source;
            triangles += lasts[source]! - firsts[source]!;
          }
        }
      }
      this.#near.length = nearLength;
      this.#sources.length = this.#offsets.length = length;
      this.#close(triangles);
    }
  }

  /** Takes back the last refinement, that of `cell`. */
  takeBack(cell: number): void {
    const count = this.#firstChildren.items[cell]!;
    this.#firstChildren.items[cell] = 0;
    this.#sources.length = this.#offsets.length = this.#interactionEnds.items[count - 1]!;
    this.#near.length = this.#nearEnds.items[count - 1]!;
    for (const list of [
      this.#levels,
      this.#parents,
      this.#firstChildren,
      this.#interactionEnds,
      this.#nearEnds,
      this.#nearTriangles,
    ]) {
      list.length = count;
    }
    this.#cells.length = 3 * count;
  }

  /** The tree of the cells that are reached through cells for which `isRefined` holds. */
  finish(isRefined: (cell: number) => boolean): EvaluationTree {
    // Breadth first, so that levels follow each other.
    const kept = new IntList();
    const parents = new IntList();
    const firstChildren = new IntList();
    kept.push(0);
    parents.push(0);
    let interactions = 0;
    for (let c = 0; c < kept.length; c++) {
      const cell = kept.items[c]!;
      interactions += this.interactions(cell);
      const first = this.firstChild(cell);
      const refined = first > 0 && isRefined(cell);
      firstChildren.push(refined ? kept.length : 0);
      if (!refined) continue;
      for (let child = first; child < first + 8; child++) {
        kept.push(child);
        parents.push(c);
      }
    }
    const count = kept.length;
    const tree = {
      depth: this.level(kept.items[count - 1]!),
      levels: Uint8Array.from({ length: count }, (_, c) => this.level(kept.items[c]!)),
      cells: Uint16Array.from({ length: 3 * count }, (_, i) =>
        this.place(kept.items[Math.floor(i / 3)]!, i % 3),
      ),
      parents: Uint32Array.from(parents.items.subarray(0, count)),
      firstChildren: Uint32Array.from(firstChildren.items.subarray(0, count)),
    };
    return { ...tree, ...this.#copyInteractions(kept, interactions), ...this.#copyNear(kept, firstChildren) };
  }

  #copyInteractions(kept: IntList, total: number) {
    const interactionStarts = new Uint32Array(kept.length + 1);
    const sources = new Uint32Array(total);
    const tables = new Uint16Array(total);
    const numbers = new Int32Array(SPAN ** 3).fill(-1);
    const offsets: number[] = [];
    let at = 0;
    for (let c = 0; c < kept.length; c++) {
      const last = this.#interactionEnds.items[kept.items[c]!]!;
      for (let n = last - this.interactions(kept.items[c]!); n < last; n++) {
        const offset = this.#offsets.items[n]!;
        if (numbers[offset]! < 0) {
          numbers[offset] = offsets.length / 3;
          for (const place of [
            Math.floor(offset / SPAN ** 2),
            Math.floor(offset / SPAN) % SPAN,
            offset % SPAN,
          ])
            offsets.push(place - MOST_CONVERSION_OFFSET);
        }
        sources[at] = this.#sources.items[n]!;
        tables[at++] = numbers[offset]!;
      }
      interactionStarts[c + 1] = at;
    }
    return { interactionStarts, sources, tables, offsets: Int8Array.from(offsets) };
  }

  #copyNear(kept: IntList, firstChildren: IntList) {
    const { firsts, lasts } = this.#tree;
    const nearStarts = new Uint32Array(kept.length + 1);
    const ranges = new IntList();
    for (let c = 0; c < kept.length; c++) {
      const cell = kept.items[c]!;
      if (firstChildren.items[c] === 0) {
        const first = cell === 0 ? 0 : this.#nearEnds.items[cell - 1]!;
        const near = this.#near.items.slice(first, this.#nearEnds.items[cell]!).sort();
        for (let n = 0; n < near.length; n++) {
          // Clusters that follow each other on the curve are one range.
          if (n > 0 && firsts[near[n]!] === lasts[near[n - 1]!])
            ranges.items[ranges.length - 1] = lasts[near[n]!]!;
          else {
            ranges.push(firsts[near[n]!]!);
            ranges.push(lasts[near[n]!]!);
          }
        }
      }
      nearStarts[c + 1] = ranges.length / 2;
    }
    return { nearStarts, nearRanges: Uint32Array.from(ranges.items.subarray(0, ranges.length)) };
  }
}
