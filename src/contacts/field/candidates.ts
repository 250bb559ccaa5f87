/**
 * Branch and bound finds the triangles that can be nearest to a point of a cell, from the whole grid down to cells.
 * docs/contacts.md, "Candidates", derives the bounds.
 */
import { cellMargin, type GridShape } from '../../inside/cell-grid/tables.ts';
import { type BlockLevel, NEEDED, UNEVEN } from './blocks-of-cells.ts';
import { CandidateLists } from './candidate-lists.ts';
import { CandidateStack } from './candidate-stack.ts';
import { LONGEST_SHARED_LIST } from './constants.ts';
import { CELL_REST, CellCode } from './field-arrays.ts';

/** The cells that candidates are found for, and their triangles: plain arrays, which threads may share. */
export interface CandidateSource {
  readonly grid: GridShape;
  readonly corners: Float32Array;
  /** `[cells]`: as in `FieldArrays`, with the rank of mixed cells in place of their lists. */
  readonly cells: Uint32Array;
  /** `[cells]`: a copy of `cells` at first. Words of cells inside and mixed are overwritten. */
  readonly into: Uint32Array;
  /** As `blockLevels` makes them of the cells. */
  readonly levels: readonly BlockLevel[];
  /** Depth to which cells get candidates, local. */
  readonly reach: number;
}

/** Cells of a part along an axis are 2 to the power of this, or fewer: a part takes some milliseconds. */
const PART_LEVEL = 4;

/** Place of a block, and its candidates on the stack. */
interface Frame {
  /** Its place in the order of blocks of its level; -1 for none. */
  block: number;
  from: number;
  count: number;
  /** The word that all its cells inside have; undefined if they are to be looked at. */
  word: number | undefined;
}

/** Parts that a grid is cut into: blocks in the order of a tree, some of which may be beyond the grid. */
export function partsOf(levels: readonly BlockLevel[]): number {
  return 8 ** Math.max(0, levels.length - 1 - PART_LEVEL);
}

type Ends = readonly [first: number, end: number];

/** First and last cell, excluded, of a part along each axis. */
export function cellsOfPart(levels: readonly BlockLevel[], part: number): readonly [Ends, Ends, Ends] {
  const level = Math.min(PART_LEVEL, levels.length - 1);
  const [i, j, k] = placeOf(part);
  const along = (at: number, most: number) =>
    [Math.min(most, at * 2 ** level), Math.min(most, (at + 1) * 2 ** level)] as const;
  const [nx, ny, nz] = levels[0]!.counts;
  return [along(i, nx), along(j, ny), along(k, nz)];
}

/** Numbers of a block along each axis, by its place in the order of a tree: its bits go round the axes. */
function placeOf(block: number): [number, number, number] {
  const place: [number, number, number] = [0, 0, 0];
  for (let bit = 0; block >> (3 * bit) > 0; bit++) {
    for (let k = 0; k < 3; k++) place[k]! |= ((block >> (3 * bit + k)) & 1) << bit;
  }
  return place;
}

/** Finds the candidates of cells, part by part. */
export class CandidateFinder {
  /** Lists of all parts that were done, one after the other. */
  readonly lists = new CandidateLists();
  readonly #source: CandidateSource;
  readonly #margin: number;
  readonly #stack: CandidateStack;
  /** By level, the block above the part that is being done, whose candidates are still on the stack. */
  readonly #frames: Frame[];
  /** Place of the first list of the part. */
  #start = 0;

  constructor(source: CandidateSource) {
    this.#source = source;
    this.#margin = cellMargin(source.grid);
    this.#stack = new CandidateStack(source.corners);
    this.#frames = source.levels.map(() => ({ block: -1, from: 0, count: 0, word: undefined }));
  }

  /** Finds the candidates of a part's cells. Places of lists in cells are those from the part's first list on. */
  find(part: number): void {
    this.#start = this.lists.count;
    const level = Math.min(PART_LEVEL, this.#source.levels.length - 1);
    const { from, count, word } = this.#above(level + 1, Math.floor(part / 8));
    const [i, j, k] = placeOf(part);
    if (word !== undefined) this.#setCells(level, i, j, k, word);
    else if (count > 0) this.#visit(level, i, j, k, from, count);
  }

  /** The block of a level above parts, with its candidates. */
  #above(level: number, block: number): Frame {
    const all = this.#source.corners.length / 9;
    if (level >= this.#frames.length) return { block, from: 0, count: all, word: undefined };
    const frame = this.#frames[level]!;
    if (frame.block === block) return frame;
    const above = this.#above(level + 1, Math.floor(block / 8));
    frame.block = block;
    frame.from = above.from + above.count;
    frame.count = 0;
    frame.word = above.word;
    const [i, j, k] = placeOf(block);
    if (above.word !== undefined || above.count === 0 || !this.#isNeeded(level, i, j, k)) return frame;
    frame.count = this.#open(level, i, j, k, above.from, above.count);
    if (this.#isDeep(level)) frame.word = this.#deepWord;
    return frame;
  }

  /** Whether a block is in the grid and has cells inside or mixed. */
  #isNeeded(level: number, i: number, j: number, k: number): boolean {
    const { counts, kinds } = this.#source.levels[level]!;
    const [nx, ny, nz] = counts;
    return i < nx && j < ny && k < nz && (kinds[(k * ny + j) * nx + i]! & NEEDED) !== 0;
  }

  #halfOf(level: number): number {
    return (2 ** level / 2 + this.#margin) * this.#source.grid.cell;
  }

  /** Coordinate of a block's middle along an axis. */
  #middleOf(level: number, at: number, axis: 0 | 1 | 2): number {
    const { origin, cell } = this.#source.grid;
    return origin[axis] + (at + 0.5) * 2 ** level * cell;
  }

  /** Puts the candidates of a block on the stack, behind those of the block that it is a part of. */
  #open(level: number, i: number, j: number, k: number, from: number, count: number): number {
    const [x, y, z] = [this.#middleOf(level, i, 0), this.#middleOf(level, j, 1), this.#middleOf(level, k, 2)];
    return this.#stack.keep(x, y, z, this.#halfOf(level), from, count);
  }

  /** Whether the block that was opened last is beyond reach. Then all its cells are inside, or all are outside. */
  #isDeep(level: number): boolean {
    return this.#stack.least - Math.sqrt(3) * this.#halfOf(level) > this.#source.reach;
  }

  get #deepWord(): number {
    return ((CellCode.deep << 30) | this.#stack.nearest) >>> 0;
  }

  /** Block (i, j, k) of a level, whose candidates are among `count` on the stack. */
  #visit(level: number, i: number, j: number, k: number, from: number, count: number): void {
    if (!this.#isNeeded(level, i, j, k)) return;
    const kept = this.#open(level, i, j, k, from, count);
    if (this.#isDeep(level)) {
      this.#setCells(level, i, j, k, this.#deepWord);
      return;
    }
    const { grid, levels, reach, cells, into } = this.#source;
    const { counts, kinds } = levels[level]!;
    const [nx, ny] = counts;
    const at = (k * ny + j) * nx + i;
    const isEven = (kinds[at]! & UNEVEN) === 0;
    const half = this.#halfOf(level);
    // A block that the reach passes is divided, so that no more than a cell beyond it has candidates.
    const isWithin = this.#stack.least + Math.sqrt(3) * half <= reach;
    const isShared = isWithin && kept <= LONGEST_SHARED_LIST / 2 ** level;
    const begin = from + count;
    if (level > 0 && !(isEven && isShared)) {
      for (let part = 0; part < 8; part++) {
        const [x, y, z] = [2 * i + (part & 1), 2 * j + ((part >> 1) & 1), 2 * k + (part >> 2)];
        this.#visit(level - 1, x, y, z, begin, kept);
      }
      return;
    }
    const middle = [
      this.#middleOf(level, i, 0),
      this.#middleOf(level, j, 1),
      this.#middleOf(level, k, 2),
    ] as const;
    let left = this.#stack.refine(...middle, half, begin, kept);
    if (!isEven) left = this.#stack.keepOfParts(...middle, half, begin, left);
    const rest = isEven ? level : cells[at]! & CELL_REST;
    const list = this.lists.write(this.#stack, begin, left, 2 ** level * grid.cell, rest) - this.#start;
    if (isEven) this.#setCells(level, i, j, k, ((CellCode.inside << 30) | list) >>> 0);
    else into[at] = ((CellCode.mixed << 30) | list) >>> 0;
  }

  /** All inner cells of a block, as far as they are in the grid, get a word. */
  #setCells(level: number, i: number, j: number, k: number, word: number): void {
    const { levels, cells, into } = this.#source;
    const [nx, ny, nz] = levels[0]!.counts;
    const size = 2 ** level;
    for (let z = k * size; z < Math.min(nz, (k + 1) * size); z++) {
      for (let y = j * size; y < Math.min(ny, (j + 1) * size); y++) {
        const row = (z * ny + y) * nx;
        const end = row + Math.min(nx, (i + 1) * size);
        for (let c = row + i * size; c < end; c++) {
          if (cells[c]! >>> 30 === CellCode.inside) into[c] = word;
        }
      }
    }
  }
}
