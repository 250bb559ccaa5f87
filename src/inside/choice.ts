/** Which method and backend a call uses where that is left to scree. */
import { LEAST_POINTS_FOR_GPU } from '../constants.ts';
import { InputError } from '../errors.ts';
import type { Device } from '../gpu/device.ts';
import {
  BACKENDS,
  type Backend,
  type Built,
  METHODS,
  type Method,
  RULES,
  type Rule,
} from './classification.ts';
import type { ClassifyOptions } from './options.ts';

export interface Choice {
  readonly method: Method;
  readonly backend: Backend;
  /** Why, for people. */
  readonly reason: string;
}

/**
 * The cell grid wins on every body and number of points that was measured (docs/cell-grid.md), its set-up included, so
 * `auto` is the cell grid. On the CPU it beats a software adapter on the same cores, and for few points the way to a GPU
 * and back takes longer than the work.
 *
 * @throws InputError for an unknown name, or a combination that does not exist.
 */
export function chooseMethod(
  wanted: { method: Method | 'auto'; backend: Backend | 'auto' },
  points: number,
  device: Device | undefined,
): Choice {
  const { method: wantedMethod, backend: wantedBackend } = wanted;
  if (wantedMethod !== 'auto' && !METHODS.includes(wantedMethod)) {
    throw new InputError(`method "${wantedMethod}": expected one of auto, ${METHODS.join(', ')}`);
  }
  if (wantedBackend !== 'auto' && !BACKENDS.includes(wantedBackend)) {
    throw new InputError(`backend "${wantedBackend}": expected one of auto, ${BACKENDS.join(', ')}`);
  }
  if (device === undefined && wantedBackend === 'gpu') {
    throw new InputError('backend "gpu" needs a device: create the polyhedron with one from openDevice()');
  }
  const method = wantedMethod === 'auto' ? 'cell-grid' : wantedMethod;
  const why = wantedMethod === 'auto' ? 'cell-grid is the fastest method' : `${method} was asked for`;
  if (method === 'ray-crossing') {
    if (device === undefined || wantedBackend === 'cpu') {
      throw new InputError(
        'method "ray-crossing" runs on a GPU device only: use method "cell-grid" on the CPU',
      );
    }
    return { method, backend: 'gpu', reason: `${why}; it runs on the GPU` };
  }
  if (wantedBackend !== 'auto')
    return { method, backend: wantedBackend, reason: `${why}; ${wantedBackend} was asked for` };
  if (device === undefined) return { method, backend: 'cpu', reason: `${why}; the body has no device` };
  if (device.adapter.software) {
    return { method, backend: 'cpu', reason: `${why}; the adapter is software, so the CPU itself is faster` };
  }
  if (points < LEAST_POINTS_FOR_GPU) {
    return { method, backend: 'cpu', reason: `${why}; for ${points} points the way to the GPU takes longer` };
  }
  return { method, backend: 'gpu', reason: `${why}; the adapter is hardware` };
}

/** What works on points, and how. */
export interface Plan {
  readonly choice: Choice;
  readonly rule: Rule;
  readonly cull: boolean;
}

/** The options of a call with their defaults, checked. @throws InputError for an unknown rule, and as `chooseMethod` does. */
export function planOf(
  options: Pick<ClassifyOptions, 'method' | 'backend' | 'rule' | 'cull'>,
  points: number,
  device: Device | undefined,
): Plan {
  const { method = 'auto', backend = 'auto', rule = 'odd', cull = true } = options;
  if (!RULES.includes(rule)) throw new InputError(`rule "${rule}": expected one of ${RULES.join(', ')}`);
  return { choice: chooseMethod({ method, backend }, points, device), rule, cull };
}

/**
 * Where the cell grid's tables are built; they are the same bit for bit.
 *
 * @throws InputError for an unknown name, or `gpu` without a device.
 */
export function chooseBuild(wanted: Backend | 'auto', device: Device | undefined): Built {
  if (wanted !== 'auto' && !BACKENDS.includes(wanted)) {
    throw new InputError(`build "${wanted}": expected one of auto, ${BACKENDS.join(', ')}`);
  }
  if (device === undefined && wanted === 'gpu') {
    throw new InputError('build "gpu" needs a device: create the polyhedron with one from openDevice()');
  }
  if (wanted !== 'auto') return { on: wanted, reason: `${wanted} was asked for` };
  if (device === undefined) return { on: 'cpu', reason: 'the body has no device' };
  if (device.adapter.software) {
    return { on: 'cpu', reason: 'the adapter is software, so the CPU itself is faster' };
  }
  return { on: 'cpu', reason: 'building on hardware has not been measured to be faster yet' };
}
