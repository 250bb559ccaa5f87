/**
 * Whether tables out of a file can be walked: kernels index with what is in them. Every count and every number that is an
 * index is checked; what a cell or a pair says is not, the file's checksum vouches for that.
 */
import { LARGEST_CELLS_PER_AXIS } from '../constants.ts';
import type { Box } from '../mesh/triangle-mesh.ts';
import { bitCount, CELLS_PER_WORD, type CellGridTables } from './cell-grid.tables.ts';

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
    return `${count(nx)} x ${count(ny)} x ${count(nz)} cells found, expected 1 to ${count(most)} along each axis, along x a multiple of ${CELLS_PER_WORD}`;
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

/** Says which entry of the tables leads out of them, or undefined. The arrays have the lengths that the counts ask for. */
export function tablesDefect(tables: CellGridTables): string | undefined {
  const { odd, nonzero, bases, starts, mixedCount, pairCount } = tables;
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
      return `start ${count(start)} of mixed cell ${count(m)} found, expected ${m === 0 ? 0 : `at least ${count(before)}`}`;
    }
    before = start;
  }
  if (before !== pairCount) return `pairs up to ${count(before)} found, expected up to ${count(pairCount)}`;
  return undefined;
}
