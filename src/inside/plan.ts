/** Which method and backend a call uses where that is left to scree. */
import { InputError } from '../errors.ts';
import {
  type Backend,
  type BackendChoice,
  chooseBackend,
  requireBackend,
  requireName,
} from '../gpu/backend.ts';
import type { Device } from '../gpu/device.ts';
import { METHODS, type Method, RULES, type Rule } from './classification.ts';
import { FLAG_EXPANSION, LEAST_POINTS_FOR_GPU, WINDING_EXPANSION } from './constants.ts';
import type { ClassifyOptions } from './options.ts';
import { TRIANGLE_FLOATS } from './potential/constants.ts';
import { POTENTIAL_KINDS, type PotentialKind } from './potential/potential.ts';
import {
  choosePotential,
  type ExpansionOptions,
  type Job,
  type PotentialChoice,
} from './winding/potential-choice.ts';

/** The method of a call, and where it runs. */
export interface MethodPlan<M extends Method = Method> {
  readonly method: M;
  readonly backend: Backend;
  /** Why, for people. */
  readonly reason: string;
}

/** What a call for flags comes to: all that its options leave to scree is decided. */
export interface Plan extends MethodPlan {
  readonly rule: Rule;
  readonly cull: boolean;
  /** For methods that test by the potential. */
  readonly potential: PotentialChoice | undefined;
}

/** Whether the method looks at points as it tests them: then nobody has to check before that they are finite. */
export function checksPoints({ method, backend }: Pick<MethodPlan, 'method' | 'backend'>): boolean {
  return method === 'cell-grid' && backend === 'cpu';
}

/** Whether a method tests by the potential. The cell grid does by rule winding. */
function isPotentialKind(method: Method | 'auto', rule: Rule): method is PotentialKind {
  return (
    (POTENTIAL_KINDS as readonly string[]).includes(method) && (method !== 'cell-grid' || rule === 'winding')
  );
}

/**
 * What the options of a call mean, checked. `auto` is the cell grid: on every closed body that was measured it wins
 * from about thirty points on, its set-up included. Below, it loses part of a second, once per body (docs/cell-grid.md,
 * "Few points"). Rule `winding` asks for the generalised winding number. There, `auto` is whatever
 * takes the least time.
 *
 * @throws InputError for an unknown name, a combination that does not exist, or a number out of range.
 */
export function classifyPlan(
  options: Pick<ClassifyOptions, 'method' | 'backend' | 'rule' | 'cull'> & ExpansionOptions,
  job: Job,
  device: Device | undefined,
): Plan {
  const { method: wanted = 'auto', backend = 'auto', rule = 'odd', cull = true } = options;
  requireName('rule', rule, RULES);
  requireName('method', wanted, ['auto', ...METHODS]);
  requireBackend(backend, device, 'polyhedron');
  if (rule === 'winding' && wanted !== 'auto' && !isPotentialKind(wanted, rule)) {
    throw new InputError(
      `rule "winding" needs the winding number: method "${wanted}" found, ` +
        `expected one of auto, ${POTENTIAL_KINDS.join(', ')}`,
    );
  }
  if (isPotentialKind(wanted, rule) || rule === 'winding') {
    const preset = rule === 'winding' ? WINDING_EXPANSION : FLAG_EXPANSION;
    const kind = isPotentialKind(wanted, rule) ? wanted : 'auto';
    const potential = choosePotential(kind, options, preset, job);
    return { ...potentialPlan(potential, backend, job, device), rule, cull, potential };
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
      : backendFor(backend, job.points, device);
  return {
    method,
    backend: where.backend,
    reason: `${why}; ${where.because}`,
    rule,
    cull,
    potential: undefined,
  };
}

/** The plan for a potential that was chosen. @throws InputError for backend `gpu` without a device. */
export function potentialPlan(
  { kind, why }: PotentialChoice,
  backend: Backend | 'auto',
  { points, triangles }: Job,
  device: Device | undefined,
): MethodPlan<PotentialKind> {
  requireBackend(backend, device, 'polyhedron');
  const isTooLarge =
    kind === 'clusters' &&
    device !== undefined &&
    4 * TRIANGLE_FLOATS * triangles > device.limits.maxStorageBufferBindingSize;
  // Asked for the GPU, the upload says what limit it is.
  const where =
    isTooLarge && backend === 'auto'
      ? ({ backend: 'cpu', because: 'its triangles do not fit into a binding of the device' } as const)
      : backendFor(backend, points, device);
  return { method: kind, backend: where.backend, reason: `${why}; ${where.because}` };
}

/** The body's backend. */
function backendFor(wanted: Backend | 'auto', points: number, device: Device | undefined): BackendChoice {
  const leastForGpu = LEAST_POINTS_FOR_GPU;
  return chooseBackend(wanted, { device, owner: 'body', items: 'points', count: points, leastForGpu });
}
