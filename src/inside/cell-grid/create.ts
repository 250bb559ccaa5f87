/** Makes the tables of a body where they are best made: on worker threads, or on the calling thread. */
import type { Device } from '../../gpu/device.ts';
import { orWithoutWorkers, poolFor, type WorkerPool } from '../../workers/worker-pool.ts';
import { LEAST_TRIANGLES_FOR_WORKERS } from '../constants.ts';
import type { Surface } from '../surface.ts';
import {
  type BuildOptions,
  buildCellGridInParts,
  buildCellGridOnWorkers,
  type CellGridTables,
  releaseTables,
} from './build.ts';
import { chooseResolution } from './resolution.ts';
import { boundWordBytes, REFERENCE_FLOATS } from './tables.ts';

/** The portable limit of a storage binding, for bodies that are not on a device. */
export const PORTABLE_BINDING = 128 << 20;

export interface CellGridOptions {
  /** Cells along the longest extent of the body, instead of the cost model's choice. */
  readonly cellsPerAxis?: number | undefined;
  /** Most threads; 1 is the calling one alone. */
  readonly threads?: number | undefined;
  /** Whether the winding number of every cell is kept. Default false. */
  readonly windings?: boolean | undefined;
  /** Bytes of pairs that are bound at once, instead of the device's limit; for tests. */
  readonly largestPart?: number | undefined;
}

/** The threads that build the tables of so many triangles; undefined where the calling thread does. */
export function buildersOf(triangles: number, options: CellGridOptions): WorkerPool | undefined {
  return triangles >= LEAST_TRIANGLES_FOR_WORKERS ? poolFor(options) : undefined;
}

/**
 * Builds the tables of a surface.
 *
 * @throws InputError where the surface turns out not to be closed, the signal's reason once it is aborted.
 */
export async function createTables(
  surface: Surface,
  device: Device | undefined,
  options: CellGridOptions,
  signal?: AbortSignal,
): Promise<CellGridTables> {
  const { triangleCount } = surface;
  const largestBinding = device?.limits.maxStorageBufferBindingSize ?? PORTABLE_BINDING;
  const { cellsPerAxis, windings } = options;
  const { cell } = chooseResolution(surface, { cellsPerAxis, windings, largestBinding });
  // Who asks for a resolution gets that one.
  const build = { refine: cellsPerAxis === undefined, windings };
  const pool = buildersOf(triangleCount, options);
  const onWorkers = (how: BuildOptions) =>
    pool && orWithoutWorkers(() => buildCellGridOnWorkers(surface, cell, pool, how, signal));
  const buildWith = async (how: BuildOptions) =>
    (await onWorkers(how)) ?? buildCellGridInParts(surface, cell, how, signal);
  const tables = await buildWith(build);
  const counts = { words: tables.odd.length, mixed: tables.mixedCount };
  if (tables.levels === 0 || fitsBinding(counts, largestBinding, windings)) return tables;
  releaseTables(tables);
  return buildWith({ refine: false, windings });
}

/**
 * Whether statuses with bases and windings, and references, fit a binding each. The choice of the cell keeps the grid
 * within bindings; its blocks may go beyond, on a dust of small bodies.
 */
export function fitsBinding(
  { words, mixed }: { readonly words: number; readonly mixed: number },
  largestBinding: number,
  windings?: boolean,
): boolean {
  return Math.max(boundWordBytes(windings) * words, 4 * REFERENCE_FLOATS * mixed) <= largestBinding;
}
