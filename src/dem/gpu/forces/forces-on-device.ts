/**
 * Forces of contacts on the GPU: what the kernels of the contact pipeline have found becomes loads of bodies. It
 * records kernels into a command encoder, and nothing in it waits. docs/dem.md, "Forces on the GPU". Twin:
 * `ContactForces`.
 */
import * as d from 'typegpu/data';
import type { Colliders } from '../../../contacts/bodies/colliders.ts';
import type { PolyhedronArrays } from '../../../contacts/field/field-arrays.ts';
import { bind } from '../../../gpu/bind.ts';
import { BufferPool, readBack, wordsOf, writeBuffer } from '../../../gpu/buffers.ts';
import type { Device } from '../../../gpu/device.ts';
import { compileKernels, type KernelsOf } from '../../../gpu/kernel.ts';
import { type Owner, owned } from '../../../gpu/owned.ts';
import { Recorder } from '../../../gpu/recorder.ts';
import { WORD } from '../../../gpu/words.ts';
import type { StoredArrays } from '../../checkpoint/checkpoint.ts';
import { lawCases } from '../../forces/law-cases.ts';
import type { PairForces } from '../../forces/pair-forces.ts';
import type { NormalLaw } from '../../materials/normal-law.ts';
import type { SimulationModel } from '../../scene/model.ts';
import type { DeviceForces, ForceInputs } from '../device-forces.ts';

import * as sources from './force-kernels.ts';
import {
  type ForceCapacity,
  type ForceRoom,
  HISTORY,
  JOIN_WIDTH,
  KEY,
  KEY_HEADER,
  LOADS,
  makeForceRoom,
  SUM_THREADS,
  SUMS,
} from './force-room.ts';
import { type ForceTables, packForceTables } from './force-tables.ts';
import { sourcesWithLaws, tryLawsOnDevice } from './own-laws.ts';

export interface ForcesOptions {
  readonly model: Pick<SimulationModel, 'count' | 'laws'>;
  /** Of the contact pipeline. */
  readonly colliders: Colliders;
  readonly polyhedra: readonly PolyhedronArrays[];
  /** Room for contacts and for rows of pairs, as many as the pipeline has. */
  readonly capacity: ForceCapacity;
}

/** What stays. */
interface Parts {
  readonly pool: BufferPool;
  readonly tables: GPUBuffer;
  readonly places: Omit<ForceTables, 'words'>;
  readonly owner: Owner;
  readonly kernels: KernelsOf<ReturnType<typeof kernelsFor>>;
}

export class ForcesOnDevice implements DeviceForces {
  readonly loads: GPUBuffer;
  readonly sums: GPUBuffer;
  readonly #device: Device;
  readonly #laws: ForcesOptions['model'];
  readonly #parts: Parts;
  #capacity: ForceCapacity;
  #room: ForceRoom;

  private constructor(device: Device, { model, capacity }: ForcesOptions, parts: Parts, room: ForceRoom) {
    const { STORAGE, COPY_SRC } = GPUBufferUsage;
    this.#device = device;
    this.#laws = model;
    this.#capacity = capacity;
    this.#parts = parts;
    this.#room = room;
    this.loads = parts.pool.reserve('forces: loads', LOADS * model.count, STORAGE | COPY_SRC);
    this.sums = parts.pool.reserve('forces: sums', SUMS, STORAGE | COPY_SRC);
  }

  /** Compiles the kernels, if nobody did before, and makes room. @throws DeviceError `limits` if there is none */
  static create(device: Device, options: ForcesOptions): Promise<ForcesOnDevice> {
    const { model, colliders, polyhedra, capacity } = options;
    return owned(async (owner) => {
      const pool = owner.keep(new BufferPool(device));
      const { words, ...places } = packForceTables(model.laws.pairs, colliders, polyhedra);
      const tables = await device.checked('uploading materials', () => pool.upload('forces: tables', words));
      const { laws } = model.laws.pairs;
      await tryLawsOnDevice(device, laws, lawCases(model.laws));
      const kernels = await compileKernels(device, kernelsFor(laws));
      const room = await makeForceRoom(device, capacity);
      const parts = { owner, pool, tables, places, kernels };
      return device.checked('making room for loads', () => new ForcesOnDevice(device, options, parts, room));
    });
  }

  /** Bytes of its buffers, less those of building blocks. */
  get bytes(): number {
    return this.#parts.pool.bytes + this.#room.pool.bytes;
  }

  /** Makes room for so many contacts, and rows of pairs: never less than there is. What is remembered stays. */
  async grow(mostContacts: number, mostRows: number): Promise<void> {
    const device = this.#device;
    const [old, { contacts: before }] = [this.#room, this.#capacity];
    const contacts = Math.max(before, mostContacts);
    const rows = Math.max(this.#capacity.rows, mostRows);
    const room = await makeForceRoom(device, { contacts, rows });
    await device.checked('making room for contacts', () => {
      const recorder = new Recorder(device, { label: 'forces: growth' });
      const copy = (name: 'keys' | 'history', size: number, from: number, to: number, count: number) => {
        const place = (buffer: GPUBuffer, at: number) => ({ buffer, offset: size * at });
        recorder.copy(place(old.buffers[name], from), place(room.buffers[name], to), size * count);
      };
      copy('keys', KEY, 0, 0, KEY_HEADER);
      for (const half of [0, 1]) {
        copy('keys', KEY, KEY_HEADER + half * before, KEY_HEADER + half * contacts, before);
        copy('history', HISTORY, half * before, half * contacts, before);
        // Rows have changed: the history belongs to no list of pairs that exists.
        recorder.clear(room.buffers.keys, KEY * half + WORD, WORD);
      }
      recorder.submit();
    });
    old.owner.destroy();
    this.#room = room;
    this.#capacity = { contacts, rows };
  }

  /** Records the forces of the step under way: `loads`. Speeds are those of its bodies: at half the step. */
  record(recorder: Recorder, { state, constants, control, contacts, rows, places }: ForceInputs): void {
    const { kernels, tables } = this.#parts;
    const { keys, ranges, history, groupLoads, runs } = this.#room.buffers;
    const { contacts: contactRoom, rows: rowRoom } = this.#capacity;
    const { offsets, nodeFirsts, edgeFirsts, ...starts } = places;
    const device = this.#device;
    const params = this.#params();
    const matched = { control, table: rows.table, keys, offsets, nodeFirsts, edgeFirsts, records: contacts };
    recorder.run(bind(device, kernels.matchContacts, { ...matched, ranges }), {
      ...{ ...rows.perRow, params: { contactRoom, rowRoom, ...starts } },
    });
    const found = { control, records: contacts, ranges, state, constants, tables, history };
    recorder.run(bind(device, kernels.groupForces, { ...found, loads: groupLoads }), {
      ...{ ...rows.perRow, params },
    });
    const { table, entries } = rows;
    recorder.run(bind(device, kernels.sumRuns, { table, entries, loads: groupLoads, runs }), rows.perEntry);
    recorder.run(bind(device, kernels.sumLoads, { starts: rows.starts, runs, loads: this.loads }), {
      ...{ threads: params.bodies, params },
    });
  }

  /** Records what all forces come to: `sums`. Powers are at the velocities that bodies have now. */
  recordPowers(
    recorder: Recorder,
    {
      state,
      constants,
      control,
      contacts: records,
    }: Pick<ForceInputs, 'state' | 'constants' | 'control' | 'contacts'>,
  ): void {
    const { kernels } = this.#parts;
    const { groupLoads: loads, keys, history, sumsOfThreads, sumsOfRanges } = this.#room.buffers;
    const device = this.#device;
    const { contacts: contactRoom } = this.#capacity;
    const inputs = { control, records, loads, state, constants, keys, history };
    let threads = SUM_THREADS;
    recorder.run(bind(device, kernels.sumGroups, { ...inputs, sums: sumsOfThreads }), {
      threads,
      params: { threads, width: 0, contactRoom },
    });
    for (const [parts, joined] of [
      [sumsOfThreads, sumsOfRanges],
      [sumsOfRanges, this.sums],
    ] as const) {
      threads /= JOIN_WIDTH;
      recorder.run(bind(device, kernels.joinSums, { parts, sums: joined }), {
        ...{ threads, params: { threads, width: JOIN_WIDTH, contactRoom } },
      });
    }
  }

  /** Between bodies that touch, as the last `record` left them, in the order of their contacts. */
  async contactForces(half: number): Promise<PairForces> {
    const { pool, buffers } = this.#room;
    const { ranges, groupLoads } = buffers;
    const { rows: rowRoom } = this.#capacity;
    const [read] = await readBack(this.#device, pool, [{ buffer: ranges, bytes: KEY * (2 * rowRoom + 1) }]);
    const found = wordsOf(read!);
    const touching: { readonly row: number; readonly first: number }[] = [];
    for (let row = 0; row < found[0]!; row++) {
      const [x, y, z, w] = found.subarray(4 * (1 + half * rowRoom + row));
      if (y! > x! || w! > z!) touching.push({ row, first: y! > x! ? x! : z! });
    }
    touching.sort((one, other) => one.first - other.first);
    const count = touching.length;
    const bodies = new Uint32Array(2 * count);
    const forces = new Float64Array(3 * count);
    if (count === 0) return { count, bodies, forces };
    const size = d.sizeOf(sources.GroupLoads);
    const [loads] = await readBack(this.#device, pool, [{ buffer: groupLoads, bytes: size * found[0]! }]);
    const words = wordsOf(loads!);
    const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
    const offsetOf = (field: (loads: d.Infer<typeof sources.GroupLoads>) => number) =>
      d.memoryLayoutOf(sources.GroupLoads, field).offset / WORD;
    const [a, b] = [offsetOf((loads) => loads.a), offsetOf((loads) => loads.b)];
    const force = offsetOf((loads) => loads.force.x);
    touching.forEach(({ row }, i) => {
      const at = (size / WORD) * row;
      bodies.set([words[at + a]!, words[at + b]!], 2 * i);
      forces.set(floats.subarray(at + force, at + force + 3), 3 * i);
    });
    return { count, bodies, forces };
  }

  /** What contacts remember of the last whole step, which is in half `current`: keys, and `ContactHistory`. */
  async store(current: number): Promise<StoredArrays> {
    const { pool, buffers } = this.#room;
    const { keys, history } = buffers;
    const device = this.#device;
    const { contacts } = this.#capacity;
    const [head] = await readBack(device, pool, [{ buffer: keys, bytes: KEY * KEY_HEADER }]);
    const count = wordsOf(head!)[(KEY / WORD) * current]!;
    if (count === 0) return { contactKeys: new Uint32Array(0), contactHistory: new Uint32Array(0) };
    const { COPY_SRC, COPY_DST } = GPUBufferUsage;
    const lists = [
      { from: keys, start: KEY_HEADER, size: KEY, label: 'forces: keys to read' },
      { from: history, start: 0, size: HISTORY, label: 'forces: history to read' },
    ].map(({ from, start, size, label }) => {
      const bytes = size * count;
      const buffer = pool.reserve(label, bytes, COPY_SRC | COPY_DST);
      return { from, offset: size * (start + current * contacts), buffer, bytes, label };
    });
    await device.checked('reading what contacts remember', () => {
      const recorder = new Recorder(device, { label: 'forces: history' });
      for (const { from, offset, buffer, bytes } of lists)
        recorder.copy({ buffer: from, offset }, buffer, bytes);
      recorder.submit();
    });
    const [words, values] = await readBack(device, pool, lists);
    for (const { label } of lists) pool.release(label);
    return { contactKeys: wordsOf(words!), contactHistory: wordsOf(values!) };
  }

  /** Puts what `store` gave into half `current`, and makes room for it. */
  async restore({ contactKeys, contactHistory }: StoredArrays, current: number): Promise<void> {
    const count = (WORD * contactKeys!.length) / KEY;
    if (count > this.#capacity.contacts) await this.grow(count, this.#capacity.rows);
    const { keys, history } = this.#room.buffers;
    const { contacts } = this.#capacity;
    writeBuffer(this.#device, keys, Uint32Array.of(count, 0, 0, 0), KEY * current);
    writeBuffer(this.#device, keys, contactKeys!, KEY * (KEY_HEADER + current * contacts));
    writeBuffer(this.#device, history, contactHistory!, HISTORY * current * contacts);
  }

  destroy(): void {
    this.#room.owner.destroy();
    this.#parts.owner.destroy();
  }

  #params() {
    const { contacts, rows } = this.#capacity;
    const { count: bodies, laws } = this.#laws;
    return {
      ...{ contactRoom: contacts, rowRoom: rows, bodies, materials: laws.pairs.count },
      ...this.#parts.places,
    };
  }
}

const kernelsFor = (laws: readonly NormalLaw[]) => ({
  ...{ matchContacts: sources.matchContactsSource, groupForces: sourcesWithLaws(laws).groupForces },
  ...{ sumRuns: sources.sumRunsSource, sumLoads: sources.sumLoadsSource },
  ...{ sumGroups: sources.sumGroupsSource, joinSums: sources.joinSumsSource },
});
