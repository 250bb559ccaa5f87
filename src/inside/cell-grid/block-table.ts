/** The table of blocks, grids that refine a cell of another: see docs/cell-grid.md, "Blocks". */
import type { CellGridTables } from './tables.ts';

/** Words per block; see packBlock. */
export const BLOCK_WORDS = 8;

/** A cubic grid that refines a cell of another. */
export interface BlockShape {
  readonly origin: readonly [number, number, number];
  /** Edge of a cell, float32. */
  readonly cell: number;
  /** Cells along each edge. */
  readonly count: number;
  /** Its first word in the tables of statuses. */
  readonly firstWord: number;
  /** The mixed cell that it refines. */
  readonly parentRank: number;
}

/** The floats among the words of blocks. */
export function floatsOf(blocks: Uint32Array): Float32Array {
  return new Float32Array(blocks.buffer, blocks.byteOffset, blocks.length);
}

/** Writes block `n` as kernels read it: origin, 1 / cell, cell (float32 bits), count, first word, parent. */
export function packBlock(blocks: Uint32Array, n: number, shape: BlockShape): void {
  const { origin, cell, count, firstWord, parentRank } = shape;
  const at = BLOCK_WORDS * n;
  floatsOf(blocks).set([...origin, 1 / cell, cell], at);
  blocks.set([count, firstWord, parentRank], at + 5);
}

/** Block `n` of a table. */
export function unpackBlock(blocks: Uint32Array, n: number): BlockShape {
  const at = BLOCK_WORDS * n;
  const floats = floatsOf(blocks);
  const [x, y, z, , cell] = floats.subarray(at, at + 5) as unknown as number[];
  const [count, firstWord, parentRank] = blocks.subarray(at + 5, at + 8) as unknown as number[];
  return { origin: [x!, y!, z!], cell: cell!, count: count!, firstWord: firstWord!, parentRank: parentRank! };
}

/** Most blocks that a point passes, one in the other: blocks come after those whose cells they refine. */
export function blockLevels({ blocks, bases }: Pick<CellGridTables, 'blocks' | 'bases'>): number {
  const count = blocks.length / BLOCK_WORDS;
  const firstRanks = new Float64Array(count);
  const depths = new Uint32Array(count);
  let levels = 0;
  for (let n = 0; n < count; n++) {
    const { firstWord, parentRank } = unpackBlock(blocks, n);
    firstRanks[n] = bases[firstWord]!;
    // The last block that begins at or before the parent's number holds it; before the first there is the grid.
    let [low, high] = [0, n];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (firstRanks[middle]! <= parentRank) low = middle + 1;
      else high = middle;
    }
    depths[n] = low === 0 ? 1 : depths[low - 1]! + 1;
    levels = Math.max(levels, depths[n]!);
  }
  return levels;
}
