/**
 * Crossings that the kernels' float64 bounds do not certify, settled by exact predicates: one triangle and one row at a
 * time, as findLines and placeCrossings (cell-grid/statuses.ts) do it.
 */
import { orient3d } from 'robust-predicates';
import { perturbedSide } from '../exact.ts';
import type { Surface } from '../surface.ts';
import { CROSSING_PLACE_ERROR } from './constants.ts';
import { type CrossingShift, crossingShift } from './crossing-shift.ts';
import { middleX, rowLine } from './gpu-numbers.ts';
import { bitCount, type GridShape, REFERENCE_FLOATS } from './tables.ts';

/** Statuses of 16 cells and the mixed cells before them, in twos, and the references of mixed cells. */
export interface RowReferences {
  readonly words: Uint32Array;
  readonly references: Float32Array;
}

export interface SettledCrossing {
  /** First cell whose reference is behind the crossing. */
  readonly behind: number;
  readonly change: 1 | -1;
  /** Whether exact predicates were needed for the place. */
  readonly near: boolean;
}

/** The crossing of a row's line with a triangle, undefined if there is none. */
export function settleCrossing(
  { positions, indices }: Surface,
  grid: GridShape,
  triangle: number,
  row: number,
  found: RowReferences,
): SettledCrossing | undefined {
  const [nx, ny] = grid.counts;
  const corner = (c: number) => {
    const at = 3 * indices[3 * triangle + c]!;
    return [positions[at]!, positions[at + 1]!, positions[at + 2]!] as const;
  };
  const [a, b, c] = [corner(0), corner(1), corner(2)];
  const { y, z } = rowLine(grid, row % ny, Math.floor(row / ny));
  const turn = perturbedSide(a[1], a[2], b[1], b[2], y, z);
  if (turn === 0 || perturbedSide(b[1], b[2], c[1], c[2], y, z) !== turn) return undefined;
  if (perturbedSide(c[1], c[2], a[1], a[2], y, z) !== turn) return undefined;

  const change = turn > 0 ? -1 : 1;
  const referenceX = (i: number) => {
    const cell = row * nx + i;
    const [word, base] = [found.words[2 * (cell >>> 4)]!, found.words[2 * (cell >>> 4) + 1]!];
    const shift = (cell & 15) << 1;
    if (((word >>> shift) & 2) === 0) return middleX(grid, i);
    return found.references[REFERENCE_FLOATS * (base + bitCount(word & ((1 << shift) - 1) & 0xaaaaaaaa))]!;
  };
  const inverse = 1 / grid.cell;
  const crossing: CrossingShift = { shift: 0, error: 0 };
  crossingShift(...a, ...b, ...c, y, z, crossing);
  const error = crossing.error * inverse;
  const place = (a[0] + crossing.shift - grid.origin[0]) * inverse;
  const at = Math.min(nx - 1, Math.max(0, Math.floor(place)));
  const reference = (referenceX(at) - grid.origin[0]) * inverse;
  if (error < CROSSING_PLACE_ERROR && Math.abs(place - reference) > 2 * CROSSING_PLACE_ERROR) {
    return { behind: place < reference ? at : at + 1, change, near: false };
  }
  const [low, high] = [Math.min(a[0], b[0], c[0]), Math.max(a[0], b[0], c[0])];
  let behind = Math.max(0, Math.floor((low - grid.origin[0]) * inverse) - 1);
  const last = Math.min(nx - 1, Math.floor((high - grid.origin[0]) * inverse) + 1);
  for (; behind <= last; behind++) {
    const x = referenceX(behind);
    if (x > high) break;
    if (x >= low && -Math.sign(orient3d(...a, ...b, ...c, x, y, z)) === turn) break;
  }
  return { behind, change, near: true };
}
