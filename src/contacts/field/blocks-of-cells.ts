/** Blocks of 2^level cells along an axis, up to one that is the whole grid. */
import { share } from '../../workers/shared-memory.ts';
import { CellCode } from './field-arrays.ts';

/** Kinds of cells that a block has: some inside or mixed; some outside or mixed. */
export const [NEEDED, UNEVEN] = [1, 2];

/** The blocks of a level. */
export interface BlockLevel {
  readonly counts: readonly [number, number, number];
  /** NEEDED and UNEVEN of each, in memory that threads share. */
  readonly kinds: Uint8Array;
}

/** All levels, from cells to one block. */
export function blockLevels(cells: Uint32Array, counts: readonly [number, number, number]): BlockLevel[] {
  const kinds = share(new Uint8Array(cells.length));
  for (let c = 0; c < cells.length; c++) {
    const code = cells[c]! >>> 30;
    kinds[c] = code === CellCode.outside ? UNEVEN : code === CellCode.inside ? NEEDED : NEEDED | UNEVEN;
  }
  const levels: BlockLevel[] = [{ counts, kinds }];
  while (Math.max(...levels.at(-1)!.counts) > 1) levels.push(halved(levels.at(-1)!));
  return levels;
}

/** Blocks of twice the size have what cells any of their eight have. */
function halved({ kinds, counts: [nx, ny, nz] }: BlockLevel): BlockLevel {
  const counts = [Math.ceil(nx / 2), Math.ceil(ny / 2), Math.ceil(nz / 2)] as const;
  const result = share(new Uint8Array(counts[0] * counts[1] * counts[2]));
  for (let k = 0, at = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      const row = ((k >> 1) * counts[1] + (j >> 1)) * counts[0];
      for (let i = 0; i < nx; i++, at++) result[row + (i >> 1)]! |= kinds[at]!;
    }
  }
  return { counts, kinds: result };
}
