/**
 * Forces of contacts on the GPU: what the kernels of the contact pipeline have found becomes loads of bodies. It records
 * kernels into a command encoder, and nothing in it waits. docs/dem.md, "Forces on the GPU". Twin: `ContactForces`.
 */
import * as d from 'typegpu/data';
import type { Colliders } from '../../../contacts/bodies/colliders.ts';
import type { PolyhedronArrays } from '../../../contacts/field/field-arrays.ts';
import { bind } from '../../../gpu/bind.ts';
import { type Compaction, createCompaction } from '../../../gpu/blocks/compaction.ts';
import { createRadixSort, type RadixSort } from '../../../gpu/blocks/radix-sort.ts';
import { createSegmentSums, type SegmentSums } from '../../../gpu/blocks/segment-sums.ts';
import { BufferPool, readBack } from '../../../gpu/buffers.ts';
import type { Device } from '../../../gpu/device.ts';
import { type BufferCount, IndirectSizes } from '../../../gpu/indirect.ts';
import { compileKernel } from '../../../gpu/kernel.ts';
import { Recorder } from '../../../gpu/recorder.ts';
import type { SimulationModel } from '../../scene/model.ts';
import { BodyLoads, ForceSums } from '../layout.ts';
import { packForceTables } from './force-tables.ts';
import { ContactHistory, type ForceParams, ForceTally, GroupLoads } from './layout.ts';
import * as sources from './sources.ts';

const WORD = d.sizeOf(d.u32);
const KEY = d.sizeOf(d.vec4u);
const HISTORY = d.sizeOf(ContactHistory);
/** Counts of both halves, in front of the keys. */
const KEY_HEADER = 2;

/** Floats of `BodyLoads`. */
const LOAD_FLOATS = d.sizeOf(BodyLoads) / d.sizeOf(d.f32);
/** Threads that add up groups, and how many sums each thread of the next two rounds joins. */
const SUM_THREADS = 1024;
const JOIN_WIDTH = 32;

export interface ForcesOptions {
  readonly model: Pick<SimulationModel, 'count' | 'laws'>;
  /** Of the contact pipeline. */
  readonly colliders: Colliders;
  readonly polyhedra: readonly PolyhedronArrays[];
  /** Room for contacts, as many as the pipeline has, and for groups: pairs of colliders that touch. */
  readonly capacity: { readonly contacts: number; readonly groups: number };
}

/** What forces are made of. */
export interface ForcesInput {
  /** `MotionBody`, two of each body: forces are those of the half that is not `current`. */
  readonly states: GPUBuffer;
  /** `BodyConstants` of each body. */
  readonly constants: GPUBuffer;
  /** `StepControl` */
  readonly control: GPUBuffer;
  /** `ContactRecord`: the list of the pipeline. Its spare words are written. */
  readonly contacts: GPUBuffer;
  /** The pipeline's, as `ContactHeader`. */
  readonly header: GPUBuffer;
}

/** What contacts remember of a whole step, in the order of their list. */
export interface StoredHistory {
  /** `[m * 4]`: what names them. */
  readonly keys: Uint32Array<ArrayBuffer>;
  /** `[m * 8]`: `ContactHistory`. */
  readonly values: Float32Array<ArrayBuffer>;
}

interface Parts {
  readonly pool: BufferPool;
  readonly buffers: ReturnType<typeof reserve> & { readonly tables: GPUBuffer };
  readonly kernels: Awaited<ReturnType<typeof compileAll>>;
  readonly compaction: Compaction;
  readonly sort: RadixSort;
  readonly bodySums: SegmentSums;
  readonly sizes: IndirectSizes;
}

export class ForcesOnDevice {
  /** `BodyLoads` of each body, without gravity: of the step under way, after `record`. */
  readonly loads: GPUBuffer;
  /** `ForceSums`, after `recordSums`. */
  readonly sums: GPUBuffer;
  readonly #device: Device;
  readonly #parts: Parts;
  readonly #params: d.Infer<typeof ForceParams>;

  private constructor(device: Device, parts: Parts, params: d.Infer<typeof ForceParams>) {
    this.#device = device;
    this.#parts = parts;
    this.#params = params;
    this.loads = parts.buffers.bodyLoads;
    this.sums = parts.buffers.sums;
  }

  /** Compiles the kernels, if nobody did before, and makes room. @throws DeviceError `limits` if there is none */
  static async create(device: Device, options: ForcesOptions): Promise<ForcesOnDevice> {
    const { model, colliders, polyhedra, capacity } = options;
    const { count: bodies, laws } = model;
    const { contacts, groups } = capacity;
    const pool = new BufferPool(device);
    const begun: Promise<{ destroy(): void }>[] = [];
    const begin = <T extends { destroy(): void }>(made: Promise<T>) => {
      begun.push(made);
      return made;
    };
    try {
      const { words, ...places } = packForceTables(laws.pairs, colliders, polyhedra, bodies);
      const buffers = await device.checked('making room for forces', () => ({
        ...reserve(pool, bodies, capacity),
        tables: pool.upload('forces: tables', words),
      }));
      const entries = 2 * groups;
      const [kernels, compaction, sort, bodySums, sizes] = await Promise.all([
        compileAll(device),
        begin(createCompaction(device, { most: contacts })),
        begin(createRadixSort(device, { most: entries, bits: Math.max(1, 32 - Math.clz32(bodies - 1)) })),
        begin(
          createSegmentSums(device, { mostSegments: bodies, mostValues: entries, components: LOAD_FLOATS }),
        ),
        begin(IndirectSizes.create(device, Object.keys(SizePlace).length)),
      ]);
      const params = {
        ...{ contactRoom: contacts, groupRoom: groups, bodies, materials: laws.pairs.count },
        ...places,
      };
      return new ForcesOnDevice(
        device,
        { pool, buffers, kernels, compaction, sort, bodySums, sizes },
        params,
      );
    } catch (error) {
      for (const one of await Promise.allSettled(begun)) {
        if (one.status === 'fulfilled') one.value.destroy();
      }
      pool.destroy();
      throw error;
    }
  }

  /** Bytes of its buffers, less those of building blocks. */
  get bytes(): number {
    return this.#parts.pool.bytes;
  }

  /** Records the forces of the step under way: `loads`. Speeds are those of its bodies: at half the step. */
  record(recorder: Recorder, { states, constants, control, contacts, header }: ForcesInput): void {
    const { buffers, kernels, compaction, sort, bodySums } = this.#parts;
    const { tally, ranges, keys, flags, firsts, entryBodies, entries, tables, history, groupLoads } = buffers;
    const params = this.#params;
    const { contactRoom, groupRoom, bodies } = params;
    const device = this.#device;
    const contactCount = { buffer: tally, offset: TallyOffset.contacts };
    const entryCount = { buffer: tally, offset: TallyOffset.entries };
    recorder.run(bind(device, kernels.beginForces, { control, header, tally, ranges, keys }), {
      ...{ groups: 1, params },
    });
    const perContact = this.#size(recorder, contactCount, SizePlace.contacts, contactRoom);
    recorder.run(bind(device, kernels.matchContacts, { control, tally, keys, records: contacts, flags }), {
      ...{ ...perContact, params },
    });
    compaction.record(recorder, { flags, count: contactCount, list: firsts });
    const perGroup = this.#size(recorder, { buffer: firsts }, SizePlace.groups, groupRoom);
    const ranged = { records: contacts, tally, firsts, ranges, entryBodies, entries };
    recorder.run(bind(device, kernels.groupRanges, ranged), { ...perGroup, params });
    const found = { control, records: contacts, ranges, states, constants, tables, history };
    recorder.run(bind(device, kernels.groupForces, { ...found, loads: groupLoads }), {
      ...{ ...perGroup, params },
    });
    sort.record(recorder, { keys: entryBodies, values: entries, count: entryCount });
    const perEntry = this.#size(recorder, entryCount, SizePlace.entries, 2 * groupRoom);
    const { values, starts, bodyLoads } = buffers;
    recorder.run(bind(device, kernels.spreadLoads, { tally, loads: groupLoads, entries, values }), perEntry);
    recorder.run(bind(device, kernels.bodyStarts, { tally, entryBodies, starts }), {
      ...{ threads: bodies + 1, params },
    });
    bodySums.record(recorder, { values, starts, count: bodies, sums: bodyLoads });
  }

  /** Records what all forces come to: `sums`. Powers are at the velocities that bodies have now. */
  recordSums(
    recorder: Recorder,
    { states, constants, control }: Pick<ForcesInput, 'states' | 'constants' | 'control'>,
  ): void {
    const { buffers, kernels } = this.#parts;
    const { ranges, groupLoads: loads, sumsOfThreads, sumsOfRanges, sums } = buffers;
    const device = this.#device;
    const { groupRoom } = this.#params;
    let threads = SUM_THREADS;
    recorder.run(
      bind(device, kernels.sumGroups, { control, ranges, loads, states, constants, sums: sumsOfThreads }),
      { threads, params: { threads, width: 0, groupRoom } },
    );
    for (const [parts, joined] of [
      [sumsOfThreads, sumsOfRanges],
      [sumsOfRanges, sums],
    ] as const) {
      threads /= JOIN_WIDTH;
      recorder.run(bind(device, kernels.joinSums, { ranges, parts, sums: joined }), {
        ...{ threads, params: { threads, width: JOIN_WIDTH, groupRoom } },
      });
    }
  }

  /** What contacts remember of the last whole step, which is in half `current`. */
  async readHistory(current: number): Promise<StoredHistory> {
    const { pool, buffers } = this.#parts;
    const { keys, history } = buffers;
    const device = this.#device;
    const { contactRoom } = this.#params;
    const [head] = await readBack(device, pool, [{ buffer: keys, bytes: KEY * KEY_HEADER }]);
    const count = new Uint32Array(head!.slice().buffer)[(KEY / WORD) * current]!;
    if (count === 0) return { keys: new Uint32Array(0), values: new Float32Array(0) };
    const { COPY_SRC, COPY_DST } = GPUBufferUsage;
    const lists = [
      { from: keys, start: KEY_HEADER, size: KEY, label: 'forces: keys to read' },
      { from: history, start: 0, size: HISTORY, label: 'forces: history to read' },
    ].map(({ from, start, size, label }) => {
      const bytes = size * count;
      const buffer = pool.reserve(label, bytes, COPY_SRC | COPY_DST);
      return { from, offset: size * (start + current * contactRoom), buffer, bytes };
    });
    await device.checked('reading what contacts remember', () => {
      const recorder = new Recorder(device, { label: 'forces: history' });
      for (const { from, offset, buffer, bytes } of lists)
        recorder.copy({ buffer: from, offset }, buffer, bytes);
      recorder.submit();
    });
    const [words, floats] = await readBack(device, pool, lists);
    for (const label of ['forces: keys to read', 'forces: history to read']) pool.release(label);
    return {
      keys: new Uint32Array(words!.slice().buffer),
      values: new Float32Array(floats!.slice().buffer),
    };
  }

  /** Puts what contacts remember into half `current`. @throws RangeError where there is no room for it */
  restoreHistory({ keys, values }: StoredHistory, current: number): void {
    const { buffers } = this.#parts;
    const { contactRoom } = this.#params;
    const { queue } = this.#device.handle;
    const count = (WORD * keys.length) / KEY;
    if (count > contactRoom) throw new RangeError(`${count} contacts, expected at most ${contactRoom}`);
    queue.writeBuffer(buffers.keys, KEY * current, Uint32Array.of(count, 0, 0, 0));
    queue.writeBuffer(buffers.keys, KEY * (KEY_HEADER + current * contactRoom), keys);
    queue.writeBuffer(buffers.history, HISTORY * current * contactRoom, values);
  }

  destroy(): void {
    const { pool, compaction, sort, bodySums, sizes } = this.#parts;
    for (const one of [pool, compaction, sort, bodySums, sizes]) one.destroy();
  }

  #size(recorder: Recorder, count: BufferCount, place: number, most: number) {
    return this.#parts.sizes.record(recorder, count, { place, most });
  }
}

/** Places of sizes of dispatches. */
const SizePlace = { contacts: 0, groups: 1, entries: 2 } as const;
/** Where a `ForceTally` has its numbers. */
const TallyOffset = { contacts: 0, entries: WORD } as const;

function reserve(pool: BufferPool, bodies: number, { contacts, groups }: ForcesOptions['capacity']) {
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const room = (label: string, size: number, count: number, usage = 0) =>
    pool.reserve(`forces: ${label}`, size * count, STORAGE | usage);
  const LOADS = d.sizeOf(BodyLoads);
  const SUMS = d.sizeOf(ForceSums);
  return {
    tally: room('tally', d.sizeOf(ForceTally), 1),
    keys: room('keys', KEY, KEY_HEADER + 2 * contacts, COPY_SRC | COPY_DST),
    history: room('history', HISTORY, 2 * contacts, COPY_SRC | COPY_DST),
    flags: room('first contacts', WORD, contacts),
    firsts: room('groups', WORD, groups + 1),
    ranges: room('ranges', KEY, groups + 1),
    groupLoads: room('loads of groups', d.sizeOf(GroupLoads), groups, COPY_SRC),
    // A sort copies them.
    entryBodies: room('bodies of entries', WORD, 2 * groups, COPY_SRC | COPY_DST),
    entries: room('entries', WORD, 2 * groups, COPY_SRC | COPY_DST),
    values: room('loads of entries', LOADS, 2 * groups),
    starts: room('entries of bodies', WORD, bodies + 1),
    bodyLoads: room('loads', LOADS, bodies, COPY_SRC),
    sumsOfThreads: room('sums of threads', SUMS, SUM_THREADS),
    sumsOfRanges: room('sums of ranges', SUMS, SUM_THREADS / JOIN_WIDTH),
    sums: room('sums', SUMS, 1, COPY_SRC),
  };
}

async function compileAll(device: Device) {
  const [beginForces, matchContacts, groupRanges, groupForces, spreadLoads, bodyStarts, sumGroups, joinSums] =
    await Promise.all([
      compileKernel(device, sources.beginForcesSource),
      compileKernel(device, sources.matchContactsSource),
      compileKernel(device, sources.groupRangesSource),
      compileKernel(device, sources.groupForcesSource),
      compileKernel(device, sources.spreadLoadsSource),
      compileKernel(device, sources.bodyStartsSource),
      compileKernel(device, sources.sumGroupsSource),
      compileKernel(device, sources.joinSumsSource),
    ]);
  return {
    ...{ beginForces, matchContacts, groupRanges, groupForces },
    ...{ spreadLoads, bodyStarts, sumGroups, joinSums },
  };
}
