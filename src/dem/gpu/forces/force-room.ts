/** Buffers and building blocks of forces on the GPU, for so many contacts and groups. */
import * as d from 'typegpu/data';
import { type Compaction, createCompaction } from '../../../gpu/blocks/compaction.ts';
import { createRadixSort, type RadixSort } from '../../../gpu/blocks/radix-sort.ts';
import { createSegmentSums, type SegmentSums } from '../../../gpu/blocks/segment-sums.ts';
import { BufferPool } from '../../../gpu/buffers.ts';
import type { Device } from '../../../gpu/device.ts';
import { type Owner, owned } from '../../../gpu/owned.ts';
import { WORD } from '../../../gpu/words.ts';
import { BodyLoads, ForceSums } from '../step-layout.ts';
import { ContactHistory, ForceTally, GroupLoads } from './force-layout.ts';

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
  readonly owner: Owner;
  readonly pool: BufferPool;
  readonly buffers: ReturnType<typeof reserve>;
  readonly compaction: Compaction;
  readonly sort: RadixSort;
  readonly bodySums: SegmentSums;
}

export function makeForceRoom(device: Device, bodies: number, capacity: ForceCapacity): Promise<ForceRoom> {
  const { contacts, groups } = capacity;
  const entries = 2 * groups;
  return owned(async (owner) => {
    const pool = owner.keep(new BufferPool(device));
    const [buffers, compaction, sort, bodySums] = await Promise.all([
      device.checked('making room for forces', () => reserve(pool, bodies, capacity)),
      owner.keepOnce(createCompaction(device, { most: contacts })),
      owner.keepOnce(
        createRadixSort(device, { most: entries, bits: Math.max(1, 32 - Math.clz32(bodies - 1)) }),
      ),
      owner.keepOnce(
        createSegmentSums(device, { mostSegments: bodies, mostValues: entries, components: LOADS / WORD }),
      ),
    ]);
    return { owner, pool, buffers, compaction, sort, bodySums };
  });
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
