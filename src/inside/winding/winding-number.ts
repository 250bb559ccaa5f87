/** Generalised winding numbers of points within a tolerance: `Polyhedron.windingNumber`. */
import type { Options } from '../../arguments.ts';
import { LARGEST_FLOAT32 } from '../../constants.ts';
import { InputError } from '../../errors.ts';
import { type Backend, requireName } from '../../gpu/backend.ts';
import type { AdapterSummary, Device } from '../../gpu/device.ts';
import { CHUNK } from '../method.ts';
import { type MethodPlan, potentialPlan } from '../plan.ts';
import { gatherPoints } from '../potential/gather-points.ts';
import { POTENTIAL_KINDS, type PotentialKind } from '../potential/potential.ts';
import { float32Bound } from '../potential/unit-frame.ts';
import { DEFAULT_WINDING_TOLERANCE, LEAST_CLUSTER_SUM_TOLERANCE, TRUNCATION_SHARE } from './constants.ts';
import {
  choosePotential,
  EXPANSION_OPTIONS,
  type ExpansionOptions,
  expansionWithin,
  type Job,
  type PotentialChoice,
} from './potential-choice.ts';
import type { Potentials } from './potentials.ts';

export interface WindingOptions extends ExpansionOptions {
  /**
   * Most that a winding number may be off, above 0; default 1e-3. It is kept: points whose bound is above it are summed
   * up again more precisely. What remains above it, `overTolerance`, are points on a triangle, where the winding number
   * jumps, and such beside one that float64 or float32 cannot tell from it. Infinity leaves all values as the
   * expansions give them.
   */
  readonly tolerance?: number;
  /** Default `auto`: whichever takes less time by the cost model; the result names it and says why. */
  readonly method?: PotentialKind | 'auto';
  /** Default `auto`. */
  readonly backend?: Backend | 'auto';
  /**
   * Points of all calls together, where this is one of several: `auto` decides by them, and all calls alike. Default
   * those of this call.
   */
  readonly expectedPoints?: number;
  /** Stops the call between two slices of work; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called after each slice of work with the number of points done, of `total`. */
  readonly onProgress?: (done: number, total: number) => void;
}

export const WINDING_OPTIONS: Options<WindingOptions> = {
  tolerance: 'number',
  method: 'checked',
  backend: 'checked',
  expectedPoints: 'number',
  signal: 'signal',
  onProgress: 'function',
  ...EXPANSION_OPTIONS,
};

/** Wall seconds of a `windingNumber` call. */
export interface WindingSeconds {
  /** Setting up what the method needs; near 0 where an earlier call did. */
  readonly build: number;
  readonly evaluate: number;
  /** Summing up again what was above the tolerance, set-up for that included. */
  readonly sharpen: number;
  readonly total: number;
}

export interface WindingNumbers {
  /**
   * Generalised winding number J per point, in the order given: solid angles over 4 pi. For a closed outward-oriented
   * surface 1 inside, 0 outside.
   */
  readonly values: Float32Array<ArrayBuffer>;
  /**
   * Bound of |error| per point, derived and not estimated: the exact J of the float32 mesh and point lies within it.
   */
  readonly bounds: Float32Array<ArrayBuffer>;
  readonly tolerance: number;
  /** Points that were summed up again because their bound was above the tolerance. */
  readonly sharpened: number;
  /** Points whose bound is above the tolerance all the same; see the option. */
  readonly overTolerance: number;
  readonly method: PotentialKind;
  readonly backend: Backend;
  /** Why this method and backend. */
  readonly reason: string;
  /** Degree p of the multipole method's expansions; 0 for other methods. */
  readonly degree: number;
  /** Its separation d; Infinity for other methods. */
  readonly separation: number;
  /** Finest level of its evaluation tree; 0 for other methods. */
  readonly level: number;
  readonly seconds: WindingSeconds;
  /** Bytes of tables on the host. */
  readonly tableBytes: number;
  /** Bytes of GPU memory held; 0 on the CPU. */
  readonly gpuBytes: number;
  /** The adapter of the body's device, or undefined for a body without one. With backend `cpu` it did no work. */
  readonly adapter: AdapterSummary | undefined;
}

export interface WindingPlan extends MethodPlan<PotentialKind> {
  readonly potential: PotentialChoice;
  readonly tolerance: number;
}

/** What the options of a call come to, checked. @throws InputError for a name or number out of range. */
export function windingPlanOf(options: WindingOptions, job: Job, device: Device | undefined): WindingPlan {
  const { tolerance = DEFAULT_WINDING_TOLERANCE, method = 'auto', backend = 'auto' } = options;
  if (!(tolerance > 0)) throw new InputError(`tolerance is ${tolerance}, expected a number above 0`);
  requireName('method', method, ['auto', ...POTENTIAL_KINDS]);
  const potential = choosePotential(method, options, expansionWithin(tolerance), job);
  return { ...potentialPlan(potential, backend, job, device), potential, tolerance };
}

export interface WindingRun {
  readonly onProgress: ((done: number, total: number) => void) | undefined;
  readonly points: Float32Array;
  readonly potentials: Potentials;
  readonly device: Device | undefined;
  readonly signal: AbortSignal;
}

export async function evaluateWinding(
  { potential: chosen, tolerance, ...plan }: WindingPlan,
  { points, potentials, device, signal, onProgress }: WindingRun,
): Promise<WindingNumbers> {
  const started = performance.now();
  const count = points.length / 3;
  const potential = await potentials.get(chosen, plan.backend, device, {
    signal,
    onProgress: () => onProgress?.(0, count),
  });
  signal.throwIfAborted();
  const built = performance.now();
  const wanted = Number.isFinite(tolerance) ? tolerance : DEFAULT_WINDING_TOLERANCE;
  const reach = Math.max(TRUNCATION_SHARE * wanted, LEAST_CLUSTER_SUM_TOLERANCE);
  const values = new Float32Array(count);
  const bounds = new Float32Array(count);
  for (let first = 0; first < count; first += CHUNK) {
    const size = Math.min(CHUNK, count - first);
    const asked = {
      points: points.subarray(3 * first, 3 * (first + size)),
      values: values.subarray(first, first + size),
      bounds: bounds.subarray(first, first + size),
    };
    await potential.evaluate(asked, {
      rule: 'winding',
      tolerance: reach,
      signal,
      onProgress: (done) => onProgress?.(first + Math.floor(done), count),
    });
  }
  const evaluated = performance.now();
  // Nothing is known of points with the largest bound, whatever the tolerance.
  const most = Math.min(tolerance, LARGEST_FLOAT32 / 2);
  const found: number[] = [];
  for (let i = 0; i < count; i++) if (!(bounds[i]! <= most)) found.push(i);
  const over = Uint32Array.from(found);
  if (over.length > 0) {
    const precise = await potentials.sharpen(gatherPoints(points, over), {
      run: { rule: 'winding', signal },
      tolerance,
      isSettled: (_, bound) => bound <= tolerance,
    });
    over.forEach((i, n) => {
      const bound = float32Bound(precise.values[n]!, precise.bounds[n]!);
      if (!(bound < bounds[i]!)) return;
      values[i] = precise.values[n]!;
      bounds[i] = bound;
    });
  }
  const ended = performance.now();
  const { degree, separation, level, tableBytes, gpuBytes } = potential;
  return {
    ...{ values, bounds, tolerance },
    sharpened: over.length,
    overTolerance: over.reduce((sum, i) => sum + (bounds[i]! <= tolerance ? 0 : 1), 0),
    ...plan,
    ...{ degree, separation, level },
    seconds: {
      build: (built - started) / 1000,
      evaluate: (evaluated - built) / 1000,
      sharpen: (ended - evaluated) / 1000,
      total: (ended - started) / 1000,
    },
    tableBytes: tableBytes + potentials.sharpeningBytes,
    gpuBytes,
    adapter: device?.adapter,
  };
}
