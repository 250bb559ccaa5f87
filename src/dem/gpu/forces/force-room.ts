/** Buffers and building blocks of forces on the GPU, for so many contacts and groups. */
import * as d from 'typegpu/data';
import { BufferPool } from '../../../gpu/buffers.ts';
import type { Device } from '../../../gpu/device.ts';
import { type Owner, owned } from '../../../gpu/owned.ts';
import { BodyLoads, ForceSums } from '../step-layout.ts';
import { ContactHistory, GroupLoads, RunLoads } from './force-kernels.ts';

export const KEY = d.sizeOf(d.vec4u);
export const HISTORY = d.sizeOf(ContactHistory);
export const LOADS = d.sizeOf(BodyLoads);
export const SUMS = d.sizeOf(ForceSums);
/** Counts of both halves, in front of the keys. */
export const KEY_HEADER = 2;
/** Threads that add up groups, and how many sums each thread of the next two rounds joins. */
export const SUM_THREADS = 1024;
export const JOIN_WIDTH = 32;

export interface ForceCapacity {
  readonly contacts: number;
  /** Rows of pairs. */
  readonly rows: number;
}

/** What is made for a capacity. */
export interface ForceRoom {
  readonly owner: Owner;
  readonly pool: BufferPool;
  readonly buffers: ReturnType<typeof reserve>;
}

export function makeForceRoom(device: Device, capacity: ForceCapacity): Promise<ForceRoom> {
  return owned(async (owner) => {
    const pool = owner.keep(new BufferPool(device));
    const buffers = await device.checked('making room for forces', () => reserve(pool, capacity));
    return { owner, pool, buffers };
  });
}

function reserve(pool: BufferPool, { contacts, rows }: ForceCapacity) {
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const room = (label: string, size: number, count: number, usage = 0) =>
    pool.reserve(`forces: ${label}`, size * count, STORAGE | usage);
  return {
    keys: room('keys', KEY, KEY_HEADER + 2 * contacts, COPY_SRC | COPY_DST),
    history: room('history', HISTORY, 2 * contacts, COPY_SRC | COPY_DST),
    ranges: room('ranges', KEY, 2 * rows + 1, COPY_SRC),
    groupLoads: room('loads of groups', d.sizeOf(GroupLoads), rows, COPY_SRC),
    runs: room('loads of runs', d.sizeOf(RunLoads), 2 * rows),
    sumsOfThreads: room('sums of threads', SUMS, SUM_THREADS),
    sumsOfRanges: room('sums of ranges', SUMS, SUM_THREADS / JOIN_WIDTH),
  };
}
