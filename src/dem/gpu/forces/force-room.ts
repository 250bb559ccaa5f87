/** Buffers and building blocks of forces on the GPU, for so many contacts and groups. */
import * as d from 'typegpu/data';
import { type Compaction, createCompaction } from '../../../gpu/blocks/compaction.ts';
import { createRadixSort, type RadixSort } from '../../../gpu/blocks/radix-sort.ts';
import { createSegmentSums, type SegmentSums } from '../../../gpu/blocks/segment-sums.ts';
import { BufferPool } from '../../../gpu/buffers.ts';
import type { Device } from '../../../gpu/device.ts';
import { WORD } from '../../../gpu/words.ts';
import { BodyLoads, ForceSums } from '../layout.ts';
import { ContactHistory, ForceTally, GroupLoads } from './layout.ts';

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
  readonly groups: number;
}

/** What is made for a capacity. */
export interface ForceRoom {
  readonly pool: BufferPool;
  readonly buffers: ReturnType<typeof reserve>;
  readonly compaction: Compaction;
  readonly sort: RadixSort;
  readonly bodySums: SegmentSums;
}

export async function makeForceRoom(
  device: Device,
  bodies: number,
  capacity: ForceCapacity,
): Promise<ForceRoom> {
  const pool = new BufferPool(device);
  const { contacts, groups } = capacity;
  const entries = 2 * groups;
  const made = await Promise.allSettled([
    device.checked('making room for forces', () => reserve(pool, bodies, capacity)),
    createCompaction(device, { most: contacts }),
    createRadixSort(device, { most: entries, bits: Math.max(1, 32 - Math.clz32(bodies - 1)) }),
    createSegmentSums(device, { mostSegments: bodies, mostValues: entries, components: LOADS / WORD }),
  ]);
  const [buffers, ...blocks] = made;
  const [compaction, sort, bodySums] = blocks;
  const failed = made.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    for (const one of blocks) if (one.status === 'fulfilled') one.value.destroy();
    pool.destroy();
    throw failed.reason;
  }
  const resultOf = <T>(one: PromiseSettledResult<T>) => (one as PromiseFulfilledResult<T>).value;
  return {
    ...{ pool, buffers: resultOf(buffers), compaction: resultOf(compaction), sort: resultOf(sort) },
    bodySums: resultOf(bodySums),
  };
}

export function destroyForceRoom({ pool, compaction, sort, bodySums }: ForceRoom): void {
  for (const one of [pool, compaction, sort, bodySums]) one.destroy();
}

function reserve(pool: BufferPool, bodies: number, { contacts, groups }: ForceCapacity) {
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const room = (label: string, size: number, count: number, usage = 0) =>
    pool.reserve(`forces: ${label}`, size * count, STORAGE | usage);
  return {
    tally: room('tally', d.sizeOf(ForceTally), 1),
    keys: room('keys', KEY, KEY_HEADER + 2 * contacts, COPY_SRC | COPY_DST),
    history: room('history', HISTORY, 2 * contacts, COPY_SRC | COPY_DST),
    flags: room('first contacts', WORD, contacts),
    firsts: room('groups', WORD, groups + 1),
    ranges: room('ranges', KEY, groups + 1, COPY_SRC),
    groupLoads: room('loads of groups', d.sizeOf(GroupLoads), groups, COPY_SRC),
    // A sort copies them.
    entryBodies: room('bodies of entries', WORD, 2 * groups, COPY_SRC | COPY_DST),
    entries: room('entries', WORD, 2 * groups, COPY_SRC | COPY_DST),
    values: room('loads of entries', LOADS, 2 * groups),
    starts: room('entries of bodies', WORD, bodies + 1),
    sumsOfThreads: room('sums of threads', SUMS, SUM_THREADS),
    sumsOfRanges: room('sums of ranges', SUMS, SUM_THREADS / JOIN_WIDTH),
  };
}
