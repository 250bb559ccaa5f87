/** Which method and backend a call uses where that is left to scree. */
import { FLAG_EXPANSION, LEAST_POINTS_FOR_GPU, WINDING_EXPANSION } from '../constants.ts';
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
import { choosePotential, type ExpansionOptions, type PotentialChoice } from './potential/choice.ts';
import { POTENTIAL_KINDS, type PotentialKind } from './potential/potential.ts';

export interface Choice {
  readonly method: Method;
  readonly backend: Backend;
  /** Why, for people. */
  readonly reason: string;
}

/** How many points are to be tested against how many triangles. */
export interface Job {
  /** Infinity where it is not known. */
  readonly points: number;
  readonly triangles: number;
}

/** What works on points, and how. */
export interface Plan {
  readonly choice: Choice;
  readonly rule: Rule;
  readonly cull: boolean;
  /** For methods that test by the potential. */
  readonly potential: PotentialChoice | undefined;
}

export function isPotentialKind(method: Method | 'auto'): method is PotentialKind {
  return (POTENTIAL_KINDS as readonly string[]).includes(method);
}

/**
 * The options of a call with their defaults, checked. The cell grid wins on every closed body and number of points that was
 * measured (docs/cell-grid.md), its set-up included, so `auto` is the cell grid; by rule `winding`, which asks for the
 * generalised winding number, it is the direct sum or the multipole method, whichever takes less time.
 *
 * @throws InputError for an unknown name, a combination that does not exist, or a number out of range.
 */
export function planOf(
  options: Pick<ClassifyOptions, 'method' | 'backend' | 'rule' | 'cull'> & ExpansionOptions,
  job: Job,
  device: Device | undefined,
): Plan {
  const { method: wanted = 'auto', backend = 'auto', rule = 'odd', cull = true } = options;
  requireName('rule', rule, RULES);
  requireName('method', wanted, ['auto', ...METHODS]);
  requireBackend(backend, device);
  if (rule === 'winding' && wanted !== 'auto' && !isPotentialKind(wanted)) {
    throw new InputError(
      `rule "winding" needs the winding number: method "${wanted}" found, expected one of auto, ${POTENTIAL_KINDS.join(', ')}`,
    );
  }
  if (isPotentialKind(wanted) || rule === 'winding') {
    const preset = rule === 'winding' ? WINDING_EXPANSION : FLAG_EXPANSION;
    const kind = isPotentialKind(wanted) ? wanted : 'auto';
    const potential = choosePotential(kind, options, preset, job);
    return { choice: choiceOf(potential, backend, job, device), rule, cull, potential };
  }
  const given = (['degree', 'separation', 'depth'] as const).find((name) => options[name] !== undefined);
  if (given !== undefined) {
    throw new InputError(`${given} is for method "multipole", found method "${wanted}"`);
  }
  const method = wanted === 'auto' ? 'cell-grid' : wanted;
  const why = wanted === 'auto' ? 'cell-grid is the fastest method' : `${method} was asked for`;
  if (method === 'ray-crossing' && (device === undefined || backend === 'cpu')) {
    throw new InputError(
      'method "ray-crossing" runs on a GPU device only: use method "cell-grid" on the CPU',
    );
  }
  const where =
    method === 'ray-crossing'
      ? ({ backend: 'gpu', because: 'it runs on the GPU' } as const)
      : chooseBackend(backend, job.points, device);
  const choice = { method, backend: where.backend, reason: `${why}; ${where.because}` };
  return { choice, rule, cull, potential: undefined };
}

/** The choice of a potential, with the backend. @throws InputError for backend `gpu` without a device. */
export function choiceOf(
  { kind, why }: PotentialChoice,
  backend: Backend | 'auto',
  { points }: Job,
  device: Device | undefined,
): Choice & { readonly method: PotentialKind } {
  requireBackend(backend, device);
  const where = chooseBackend(backend, points, device);
  return { method: kind, backend: where.backend, reason: `${why}; ${where.because}` };
}

export function requireName(what: string, found: string, known: readonly string[]): void {
  if (!known.includes(found)) throw new InputError(`${what} "${found}": expected one of ${known.join(', ')}`);
}

function requireBackend(wanted: Backend | 'auto', device: Device | undefined): void {
  requireName('backend', wanted, ['auto', ...BACKENDS]);
  if (device === undefined && wanted === 'gpu') {
    throw new InputError('backend "gpu" needs a device: create the polyhedron with one from openDevice()');
  }
}

/**
 * On the CPU the cell grid beats a software adapter on the same cores, and for few points the way to a GPU and back takes
 * longer than the work.
 */
function chooseBackend(
  wanted: Backend | 'auto',
  points: number,
  device: Device | undefined,
): { readonly backend: Backend; readonly because: string } {
  if (wanted !== 'auto') return { backend: wanted, because: `${wanted} was asked for` };
  if (device === undefined) return { backend: 'cpu', because: 'the body has no device' };
  if (device.adapter.software) {
    return { backend: 'cpu', because: 'the adapter is software, so the CPU itself is faster' };
  }
  if (points < LEAST_POINTS_FOR_GPU) {
    return { backend: 'cpu', because: `for ${points} points the way to the GPU takes longer` };
  }
  return { backend: 'gpu', because: 'the adapter is hardware' };
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
