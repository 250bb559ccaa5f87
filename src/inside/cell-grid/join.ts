/** Puts a grid and the blocks of its refined cells into one set of tables. */

import { giveMemory, type MemoryType, takeMemory } from '../../workers/spare-memory.ts';
import { BLOCK_WORDS, type BlockShape, blockLevels, packBlock } from './block-table.ts';
import { type Block, type RefinedCell, withoutRefined } from './blocks.ts';
import {
  CELLS_PER_WORD,
  type CellGridTables,
  PAIR_FLOATS,
  REFERENCE_FLOATS,
  REFINED,
  tableBytes,
  windingByte,
} from './tables.ts';

type Settable = ArrayLike<number> & { set(values: ArrayLike<number>): void };

/**
 * Appends blocks to the tables of the root grid, whose refined cells lose their own pairs. Blocks get their windings
 * from the references of the cells that they refine; these references are replaced by the number of the block.
 *
 * @param root tables with the final windings; their memory is given back
 * @param refined in the order of cells
 */
export function joinBlocks(root: CellGridTables, refined: readonly RefinedCell[]): CellGridTables {
  if (refined.length === 0) return root;
  const all = refined.flatMap(({ blocks }) => blocks);
  const kept = withoutRefined(
    root.starts,
    root.pairs,
    refined.map(({ rank }) => rank),
  );
  const keptPairs = kept.pairs.length / PAIR_FLOATS;
  const sum = (of: (block: Block) => number) => all.reduce((total, block) => total + of(block), 0);
  const isShared = typeof SharedArrayBuffer !== 'undefined' && root.odd.buffer instanceof SharedArrayBuffer;
  const grown = <A extends Settable>(type: MemoryType<A>, table: A, more: number): A => {
    const result = takeMemory(type, table.length + more, isShared);
    result.set(table);
    return result;
  };
  const moreWords = sum((block) => block.words.length);
  const mixedCount = root.mixedCount + sum((block) => block.mixedCount);
  const pairCount = keptPairs + sum((block) => block.pairs.length / PAIR_FLOATS);
  const odd = grown(Uint32Array, root.odd, moreWords);
  const nonzero = grown(Uint32Array, root.nonzero, moreWords);
  const windings = root.windings && grown(Int8Array, root.windings, CELLS_PER_WORD * moreWords);
  const bases = grown(Uint32Array, root.bases, moreWords);
  const references = grown(Float32Array, root.references, REFERENCE_FLOATS * (mixedCount - root.mixedCount));
  const starts = grown(Uint32Array, kept.starts, mixedCount - root.mixedCount);
  const pairs = grown(Float32Array, kept.pairs, PAIR_FLOATS * (pairCount - keptPairs));
  const blocks = takeMemory(Uint32Array, BLOCK_WORDS * all.length, isShared);

  let number = 0;
  let firstWord = root.odd.length;
  let firstRank = root.mixedCount;
  let firstPair = keptPairs;
  for (const { blocks: ofCell } of refined) {
    const ranks: number[] = [];
    for (const block of ofCell) {
      const parentRank = block.parent < 0 ? block.parentRank : ranks[block.parent]! + block.parentRank;
      ranks.push(firstRank);

      const at = REFERENCE_FLOATS * parentRank;
      const base = references[at + 3]!;
      references.set([number, 0, 0, REFINED], at);
      const { origin, cell, counts } = block.grid;
      const shape: BlockShape = { origin, cell, count: counts[0], firstWord, parentRank };
      packBlock(blocks, number++, shape);

      references.set(block.references, REFERENCE_FLOATS * firstRank);
      const { words } = block;
      let rank = firstRank;
      for (let w = 0; w < words.length; w++) {
        const mixed = words[w]!;
        let oddBits = mixed;
        let nonzeroBits = mixed;
        bases[firstWord + w] = rank;
        const cells = Math.min(CELLS_PER_WORD, block.windings.length - w * CELLS_PER_WORD);
        for (let c = 0; c < cells; c++) {
          const winding = base + block.windings[w * CELLS_PER_WORD + c]!;
          if ((winding & 1) !== 0) oddBits |= 1 << (2 * c);
          if (winding !== 0) nonzeroBits |= 1 << (2 * c);
          if (windings) windings[CELLS_PER_WORD * (firstWord + w) + c] = windingByte(winding);
          if ((mixed >>> (2 * c)) & 2) references[REFERENCE_FLOATS * rank++ + 3] = winding;
        }
        odd[firstWord + w] = oddBits;
        nonzero[firstWord + w] = nonzeroBits;
      }
      for (let m = 0; m < block.mixedCount; m++) starts[firstRank + m + 1] = firstPair + block.starts[m + 1]!;
      pairs.set(block.pairs, PAIR_FLOATS * firstPair);

      firstWord += words.length;
      firstRank += block.mixedCount;
      firstPair += block.pairs.length / PAIR_FLOATS;
    }
  }
  giveMemory([root.odd, root.nonzero, root.bases, root.references, root.starts, root.pairs]);
  if (root.windings) giveMemory([root.windings]);
  const tables = { odd, nonzero, ...(windings && { windings }), bases, references, starts, pairs, blocks };
  return {
    ...root,
    ...tables,
    mixedCount,
    pairCount,
    levels: blockLevels(tables),
    bytes: tableBytes({ ...tables, runs: root.runs }),
  };
}
