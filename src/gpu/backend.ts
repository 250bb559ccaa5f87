/** Where work is done, and the choice of it where that is left to scree. */
import { told } from '../arguments.ts';
import { InputError } from '../errors.ts';
import type { Device } from './device.ts';

/** Where the work can be done: WebGPU kernels, or their float64 twins in TypeScript. */
export const BACKENDS = ['gpu', 'cpu'] as const;
export type Backend = (typeof BACKENDS)[number];

export interface BackendChoice {
  readonly backend: Backend;
  /** For people. */
  readonly because: string;
}

/** How much there is to do, and whose work it is. */
export interface BackendJob {
  readonly device: Device | undefined;
  /** Whose device it is, for the reason: `body`, `batch`. */
  readonly owner: string;
  /** What is counted: `points`, `pairs`. */
  readonly items: string;
  readonly count: number;
  /** From how many on the way to a GPU and back pays. */
  readonly leastForGpu: number;
}

/** @throws InputError for a name that is not among those known. */
export function requireName(what: string, found: string, known: readonly string[]): void {
  if (!known.includes(found))
    throw new InputError(`${what} ${told(found)}: expected one of ${known.join(', ')}`);
}

/** @throws InputError for an unknown name, or `gpu` without a device. */
export function requireBackend(wanted: Backend | 'auto', device: Device | undefined, whose: string): void {
  requireName('backend', wanted, ['auto', ...BACKENDS]);
  if (device === undefined && wanted === 'gpu') {
    throw new InputError(`backend "gpu" needs a device: create the ${whose} with one from openDevice()`);
  }
}

/**
 * The CPU beats a software adapter, which runs on the same cores. It also beats a GPU where the work takes less time
 * than the way there and back.
 */
export function chooseBackend(wanted: Backend | 'auto', job: BackendJob): BackendChoice {
  const { device, owner, items, count, leastForGpu } = job;
  if (wanted !== 'auto') return { backend: wanted, because: `${wanted} was asked for` };
  if (device === undefined) return { backend: 'cpu', because: `the ${owner} has no device` };
  if (device.adapter.software) {
    return { backend: 'cpu', because: 'the adapter is software, so the CPU itself is faster' };
  }
  if (count < leastForGpu) {
    return { backend: 'cpu', because: `for ${count} ${items} the way to the GPU takes longer` };
  }
  return { backend: 'gpu', because: 'the adapter is hardware' };
}
