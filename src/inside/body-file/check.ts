/**
 * Whether tables out of a file can be walked: kernels use numbers in them as indices. Every count and every index is
 * checked. Other contents of cells and pairs are not: the file's checksum vouches for them.
 */

import type { Box } from '../../mesh/triangle-mesh.ts';
import { BLOCK_WORDS, unpackBlock } from '../cell-grid/block-table.ts';
import { LARGEST_BLOCK_AXIS, LARGEST_CELLS_PER_AXIS } from '../cell-grid/constants.ts';
import {
  bitCount,
  CELLS_PER_WORD,
  type CellGridTables,
  REFERENCE_FLOATS,
  REFINED,
} from '../cell-grid/tables.ts';

/** The bits of a word that say which of its cells are mixed. */
const MIXED_BITS = 0xaaaaaaaa;
/** Cells of a grid: their numbers are 32-bit. */
const MOST_CELLS = 2 ** 32;

/** `1,204`: numbers of bytes and cells for people. */
export const count = (n: number) => n.toLocaleString('en-US');

/**
 * Says what is wrong with the shape of a grid over a body, or undefined.
 *
 * @param box the body's box, in the grid's frame
 */
export function gridDefect({ cell, counts }: CellGridTables['grid'], box: Box): string | undefined {
  const [nx, ny, nz] = counts;
  // One more than asked for, where rounding opens another layer.
  const most = LARGEST_CELLS_PER_AXIS + 1;
  if (counts.some((n) => n < 1 || n > most) || nx % CELLS_PER_WORD !== 0 || nx * ny * nz > MOST_CELLS) {
    return (
      `${count(nx)} x ${count(ny)} x ${count(nz)} cells found, ` +
      `expected 1 to ${count(most)} along each axis, along x a multiple of ${CELLS_PER_WORD}`
    );
  }
  if (!(cell > 0 && cell < Infinity))
    return `cells of size ${cell} found, expected a finite number greater than 0`;
  for (let k = 0; k < 3; k++) {
    const extent = box.max[k]! - box.min[k]!;
    if (!(extent / cell < counts[k]!)) {
      return `${count(counts[k]!)} cells of size ${cell} found along ${'xyz'[k]}, expected to cover ${extent}`;
    }
  }
  return undefined;
}

/**
 * Says which entry of the tables leads out of them, or undefined. The arrays have the lengths that the counts ask for.
 */
export function tablesDefect(tables: CellGridTables): string | undefined {
  const { odd, nonzero, bases, starts, mixedCount, pairCount } = tables;
  const wordsDefect = blockWordsDefect(tables);
  if (wordsDefect !== undefined) return wordsDefect;
  let mixed = 0;
  for (let w = 0; w < odd.length; w++) {
    if (bases[w] !== mixed) {
      return `${count(bases[w]!)} mixed cells before word ${count(w)} found, expected ${count(mixed)}`;
    }
    const word = odd[w]!;
    if (((word ^ nonzero[w]!) & MIXED_BITS) !== 0) {
      return `other mixed cells in word ${count(w)} of rule nonzero found, expected those of rule odd`;
    }
    if (word !== 0) mixed += bitCount(word & MIXED_BITS);
  }
  if (mixed !== mixedCount) return `${count(mixed)} mixed cells found, expected ${count(mixedCount)}`;
  let before = 0;
  for (let m = 0; m <= mixedCount; m++) {
    const start = starts[m]!;
    if (start < before || (m === 0 && start !== 0)) {
      const expected = m === 0 ? '0' : `at least ${count(before)}`;
      return `start ${count(start)} of mixed cell ${count(m)} found, expected ${expected}`;
    }
    before = start;
  }
  if (before !== pairCount) return `pairs up to ${count(before)} found, expected up to ${count(pairCount)}`;
  return referencesDefect(tables);
}

/** Blocks whose words do not follow each other behind those of the grid. */
function blockWordsDefect({ grid, odd, blocks }: CellGridTables): string | undefined {
  const [nx, ny, nz] = grid.counts;
  let words = (nx * ny * nz) / CELLS_PER_WORD;
  for (let n = 0; n < blocks.length / BLOCK_WORDS; n++) {
    const block = unpackBlock(blocks, n);
    if (block.count < 1 || block.count > LARGEST_BLOCK_AXIS + 1) {
      return `${count(block.count)} cells along block ${count(n)} found, expected 1 to ${LARGEST_BLOCK_AXIS + 1}`;
    }
    if (block.firstWord !== words) {
      return `block ${count(n)} at word ${count(block.firstWord)} found, expected ${count(words)}`;
    }
    if (!(block.cell > 0 && [...block.origin, block.cell, 1 / block.cell].every(Number.isFinite))) {
      const place = block.origin.join(', ');
      return `block ${count(n)} with cells of size ${block.cell} at ${place} found, expected finite numbers`;
    }
    words += Math.ceil(block.count ** 3 / CELLS_PER_WORD);
  }
  if (odd.length === words) return undefined;
  return `${count(odd.length)} words of statuses found, expected ${count(words)} for the grid and its blocks`;
}

/**
 * References of refined cells and the blocks that refine them name each other; blocks come after the cells they refine.
 */
function referencesDefect({ references, blocks, bases, mixedCount }: CellGridTables): string | undefined {
  const blockCount = blocks.length / BLOCK_WORDS;
  let refined = 0;
  for (let m = 0; m < mixedCount; m++) {
    if (references[REFERENCE_FLOATS * m + 3] !== REFINED) continue;
    refined++;
    const n = references[REFERENCE_FLOATS * m]!;
    const known = Number.isInteger(n) && n >= 0 && n < blockCount;
    if (!known || unpackBlock(blocks, n).parentRank !== m) {
      const expected = `the one of ${count(blockCount)} that refines it`;
      return `mixed cell ${count(m)} refined by block ${n} found, expected ${expected}`;
    }
    if (m >= bases[unpackBlock(blocks, n).firstWord]!) {
      return `block ${count(n)} of its own cell ${count(m)} found, expected one of a cell before it`;
    }
  }
  if (refined === blockCount) return undefined;
  return `${count(blockCount)} blocks found, expected ${count(refined)}, one per refined cell`;
}
