/**
 * Steps by impulses on the GPU: it records kernels into a command encoder, and nothing in it waits. A step begins with
 * the contacts that the step before has found. docs/dem.md, "Impulses on the GPU". Twin: `ImpulseSolver`.
 */
import * as d from 'typegpu/data';
import { bind } from '../../../gpu/bind.ts';
import { formOf } from '../../../gpu/blocks/form.ts';
import { createRadixSort } from '../../../gpu/blocks/radix-sort.ts';
import { createScan, type Scan } from '../../../gpu/blocks/scan.ts';
import { BufferPool } from '../../../gpu/buffers.ts';
import type { Device } from '../../../gpu/device.ts';
import { compileKernels, type KernelsOf } from '../../../gpu/kernel.ts';
import { type Owner, owned } from '../../../gpu/owned.ts';
import type { Recorder } from '../../../gpu/recorder.ts';
import { WORD } from '../../../gpu/words.ts';
import type { StoredArrays } from '../../checkpoint/checkpoint.ts';
import * as numbers from '../../constants.ts';
import type { PairForces } from '../../forces/pair-forces.ts';
import { PAIR_NUMBERS, PairNumber, type PairTable } from '../../materials/materials.ts';
import type { SimulationModel } from '../../scene/model.ts';
import { ContactMemory, contactsIn } from '../contact-memory.ts';
import type { ContactCapacity, DeviceResponse, ResponseInputs } from '../device-response.ts';
import { LoadSums, SUM_THREADS } from '../load-sums.ts';
import * as sources from './impulse-kernels.ts';
import {
  ChosenContacts,
  ColourOfGroup,
  ImpulseGroup,
  ImpulseHistory,
  ImpulseRow,
  SolverBody,
} from './impulse-kernels.ts';

/** Kinds of passes over rows: constants of solve-rows.wgsl. */
const Pass = { repeat: 0, push: 1, relax: 2, bounce: 3 } as const;

const KERNELS = {
  ...{ choose: sources.chooseContactsSource, colour: sources.colourGroupsSource },
  ...{ listColours: sources.listColoursSource, findColours: sources.findColoursSource },
  ...{ begin: sources.beginBodiesSource, prepareGroups: sources.prepareGroupsSource },
  ...{ prepareRows: sources.prepareRowsSource, fall: sources.fallBodiesSource },
  ...{ move: sources.moveBodiesSource, solve: sources.solveRowsSource, join: sources.joinSplitsSource },
  ...{ total: sources.totalRowsSource, store: sources.storeImpulsesSource },
  ...{ finish: sources.finishBodiesSource, sumImpulses: sources.sumImpulsesSource },
  sumFound: sources.sumFoundSource,
};

export interface ImpulsesOptions {
  readonly model: Pick<SimulationModel, 'count' | 'laws'>;
  readonly substeps: number;
  /** Room for contacts and for rows of pairs, as many as the pipeline has. */
  readonly capacity: ContactCapacity;
}

/** Buffers and kernels that stay. */
interface Parts {
  readonly owner: Owner;
  readonly pool: BufferPool;
  readonly kernels: KernelsOf<typeof KERNELS>;
  readonly memory: ContactMemory;
  readonly added: LoadSums;
  /** `packImpulseTable` */
  readonly table: GPUBuffer;
  /** `SolverBody` */
  readonly solver: GPUBuffer;
}

type Params = d.Infer<typeof sources.ImpulseParams>;
type Room = Awaited<ReturnType<typeof makeRoom>>;

export class ImpulsesOnDevice implements DeviceResponse {
  readonly isByImpulses = true;
  readonly historyWords = d.sizeOf(ImpulseHistory) / WORD;
  readonly loads: GPUBuffer;
  readonly sums: GPUBuffer;
  readonly #device: Device;
  readonly #options: ImpulsesOptions;
  readonly #parts: Parts;
  readonly #hasCohesion: number;
  #room: Room;

  private constructor(device: Device, options: ImpulsesOptions, parts: Parts, room: Room) {
    this.#device = device;
    this.#options = options;
    this.#parts = parts;
    this.#room = room;
    const { numbers: ofPairs } = options.model.laws.pairs;
    const pulls = ofPairs.some((x, i) => i % PAIR_NUMBERS === PairNumber.cohesion && x > 0);
    this.#hasCohesion = Number(pulls);
    this.loads = parts.added.loads;
    this.sums = parts.added.sums;
  }

  /** Compiles the kernels, if nobody did before, and makes room. @throws DeviceError `limits` if there is none */
  static create(device: Device, options: ImpulsesOptions): Promise<ImpulsesOnDevice> {
    const { model, capacity } = options;
    return owned(async (owner) => {
      const pool = owner.keep(new BufferPool(device));
      const kernels = await compileKernels(device, KERNELS);
      const memory = owner.keep(
        await ContactMemory.create(
          device,
          { label: 'impulses', size: d.sizeOf(ImpulseHistory), parts: 3 },
          capacity,
        ),
      );
      const added = owner.keep(await LoadSums.create(device, model.count, loadRoom(capacity)));
      const { STORAGE } = GPUBufferUsage;
      const buffers = await device.checked('making room for impulses', () => ({
        table: pool.upload('impulses: materials', packImpulseTable(model.laws.pairs)),
        solver: pool.reserve('impulses: bodies', d.sizeOf(SolverBody) * model.count, STORAGE),
      }));
      const parts = { owner, pool, kernels, memory, added, ...buffers };
      return new ImpulsesOnDevice(device, options, parts, await makeRoom(device, capacity));
    });
  }

  get bytes(): number {
    const { pool, memory, added } = this.#parts;
    return pool.bytes + memory.bytes + added.bytes + this.#room.pool.bytes;
  }

  async grow({ contacts, rows }: ContactCapacity): Promise<void> {
    const { memory, added } = this.#parts;
    await memory.grow(contacts, rows);
    await added.grow(loadRoom(memory.capacity));
    const room = await makeRoom(this.#device, memory.capacity);
    this.#room.owner.destroy();
    this.#room = room;
  }

  /** Records a step's way, by the contacts where it begins. */
  move(recorder: Recorder, inputs: ResponseInputs): void {
    const { control, constants, state, gravities, driven, planes, bodies, checks, rows, contacts } = inputs;
    const { kernels, memory, added, table, solver } = this.#parts;
    const { picks, colours, offsets, groups, rows: lines, places } = this.#room.buffers;
    const { history, ranges, keys } = memory;
    const device = this.#device;
    const { starts, entries, perRow } = rows;
    const params = this.#params();
    const [perBody, perPair] = [
      { threads: this.#options.model.count, params },
      { ...perRow, params },
    ];
    const begun = { control, constants, starts, entries, colours, state, solver };
    recorder.run(bind(device, kernels.begin, begun), perBody);
    const prepared = { control, picks, offsets, colours, solver, table, groups };
    recorder.run(bind(device, kernels.prepareGroups, prepared), perPair);
    const found = { control, records: contacts, history, picks, solver, gravities, groups, rows: lines };
    recorder.run(bind(device, kernels.prepareRows, found), perPair);
    for (let substep = 0; substep < this.#options.substeps; substep++) {
      recorder.run(bind(device, kernels.fall, { control, gravities, solver }), perBody);
      this.#pass(recorder, inputs, Pass.repeat, params);
      this.#pass(recorder, inputs, Pass.push, params);
      recorder.run(bind(device, kernels.move, { control, gravities, constants, state, solver }), perBody);
      this.#pass(recorder, inputs, Pass.relax, params);
      recorder.run(bind(device, kernels.total, { control, solver, groups, rows: lines }), perPair);
    }
    for (let pass = 0; pass < numbers.BOUNCE_PASSES; pass++)
      this.#pass(recorder, inputs, Pass.bounce, params);
    const solved = { control, ranges, solver, groups, rows: lines, history };
    recorder.run(bind(device, kernels.store, { ...solved, loads: added.pairs, places }), perPair);
    added.recordLoads(recorder, rows, { buffer: places, at: 0 });
    const summed = { control, keys, records: contacts, groups, solver, sums: added.partial };
    const [threads, extent] = [SUM_THREADS, { threads: SUM_THREADS }];
    recorder.run(bind(device, kernels.sumImpulses, summed), { ...extent, params: { threads } });
    const finished = { control, constants, driven, planes, solver, state, bodies, checks };
    recorder.run(bind(device, kernels.finish, finished), perBody);
  }

  /** A pass over all rows, colour by colour; then over those past the last colour. */
  #pass(recorder: Recorder, { control, rows }: ResponseInputs, kind: number, params: Params): void {
    const { kernels, solver } = this.#parts;
    const { groups, rows: lines, order, firsts } = this.#room.buffers;
    const device = this.#device;
    const { starts, entries } = rows;
    const { rowRoom, substeps, colours, rate, massShare, impulseShare } = params;
    const common = { substeps, colours, rate, massShare, impulseShare, kind };
    const solve = bind(device, kernels.solve, { control, order, firsts, groups, rows: lines, solver });
    for (const turns of this.#turns(0, colours, rowRoom))
      recorder.run(solve, { threads: turns.threads, params: { ...common, ...turns } });
    recorder.run(bind(device, kernels.join, { control, starts, entries, groups, solver }), {
      ...{ threads: this.#options.model.count, params },
    });
  }

  /**
   * Dispatches of what is done in turns, all rows in one before the next. One thread makes them all where a dispatch
   * costs more than rows do: on software adapters.
   */
  #turns(first: number, last: number, rowRoom: number) {
    if (formOf(this.#device) === 'serial') return [{ first, last, threads: 1 }];
    return Array.from({ length: last - first + 1 }, (_, k) => ({
      ...{ first: first + k, last: first + k, threads: rowRoom },
    }));
  }

  /** Records what the next step needs of the contacts that have just been found. */
  record(recorder: Recorder, inputs: ResponseInputs): void {
    const { control, constants, contacts: records, rows } = inputs;
    const { kernels, memory } = this.#parts;
    const { picks, colours, offsets } = this.#room.buffers;
    const { history, ranges } = memory;
    const { starts, entries, perRow } = rows;
    const device = this.#device;
    const params = this.#params();
    memory.record(recorder, inputs);
    const found = { control, ranges, constants, records, history, picks, colours, counts: offsets };
    recorder.run(bind(device, kernels.choose, found), { ...perRow, params });
    this.#room.scan.record(recorder, { numbers: offsets, count: params.rowRoom });
    const { rowRoom, colours: most } = params;
    const colour = bind(device, kernels.colour, { control, starts, entries, colours });
    for (const turns of this.#turns(1, numbers.COLOUR_ROUNDS, rowRoom))
      recorder.run(colour, { threads: turns.threads, params: { rowRoom, colours: most, ...turns } });
    const { keys, order, firsts } = this.#room.buffers;
    recorder.run(bind(device, kernels.listColours, { colours, keys, order }), { ...perRow, params });
    this.#room.sort.record(recorder, { keys, values: order, count: rowRoom });
    recorder.run(bind(device, kernels.findColours, { keys, firsts }), { threads: most + 2, params });
  }

  /** Records what all impulses come to, and the contacts that there are now: `sums`. */
  recordSums(recorder: Recorder, { control, state, constants, contacts: records }: ResponseInputs): void {
    const { kernels, memory, added } = this.#parts;
    const { picks } = this.#room.buffers;
    const { keys } = memory;
    const threads = SUM_THREADS;
    const found = { control, keys, records, picks, state, constants, sums: added.partial };
    recorder.run(bind(this.#device, kernels.sumFound, found), { threads, params: { threads } });
    added.recordSums(recorder);
  }

  contactForces(): Promise<PairForces> {
    return this.#parts.added.contactForces({ buffer: this.#room.buffers.places, at: 0 });
  }

  store(current: number): Promise<StoredArrays> {
    return this.#parts.memory.store(current);
  }

  async restore(stored: StoredArrays, current: number): Promise<void> {
    const { memory } = this.#parts;
    const count = contactsIn(stored);
    if (count > memory.capacity.contacts) await this.grow({ ...memory.capacity, contacts: count });
    memory.restore(stored, current);
  }

  destroy(): void {
    this.#room.owner.destroy();
    this.#parts.owner.destroy();
  }

  #params(): Params {
    const { contacts: contactRoom, rows: rowRoom } = this.#parts.memory.capacity;
    const { substeps, model } = this.#options;
    const { pairs } = model.laws;
    return {
      ...{ contactRoom, rowRoom, substeps, materials: pairs.count, colours: numbers.MOST_COLOURS },
      hasCohesion: this.#hasCohesion,
      ...{ directionShare: numbers.DIRECTION_SHARE, left: numbers.LEFT_OVERLAP, push: numbers.FASTEST_PUSH },
      ...{ bounceFalls: numbers.BOUNCE_FALLS, farthest: numbers.FARTHEST_MOVE, ...numbers.SOFT },
    };
  }
}

/** Of each pair of materials friction, rolling and torsional friction, cohesion, restitution. */
function packImpulseTable({ numbers: of, restitutions }: PairTable): Float32Array<ArrayBuffer> {
  const table = new Float32Array(PAIR_NUMBERS * restitutions.length);
  restitutions.forEach((restitution, pair) => {
    const at = PAIR_NUMBERS * pair;
    const { friction, rollingFriction, torsionalFriction, cohesion } = PairNumber;
    const own = [friction, rollingFriction, torsionalFriction, cohesion].map((number) => of[at + number]!);
    table.set([...own, restitution], at);
  });
  return table;
}

/** Each row has loads. */
const loadRoom = ({ rows }: ContactCapacity) => ({ rows, touching: rows });

/** Buffers for so many contacts and rows of pairs. */
function makeRoom(device: Device, { contacts, rows }: ContactCapacity) {
  return owned(async (owner) => {
    const pool = owner.keep(new BufferPool(device));
    const bits = 32 - Math.clz32(numbers.MOST_COLOURS + 1);
    const sort = owner.keep(await createRadixSort(device, { most: rows, bits }));
    const scan: Scan = owner.keep(await createScan(device, { most: rows }));
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const room = (label: string, size: number, count: number, usage = 0) =>
      pool.reserve(`impulses: ${label}`, size * count, STORAGE | usage);
    const buffers = await device.checked('making room for impulses', () => ({
      picks: room('chosen contacts', d.sizeOf(ChosenContacts), rows),
      colours: room('colours', d.sizeOf(ColourOfGroup), rows),
      offsets: room('first rows', WORD, rows),
      // A sort copies them.
      keys: room('colours of rows', WORD, rows, COPY_SRC | COPY_DST),
      order: room('order', WORD, rows, COPY_SRC | COPY_DST),
      firsts: room('first pairs of colours', WORD, numbers.MOST_COLOURS + 2),
      places: room('places of loads', WORD, rows, COPY_SRC),
      groups: room('pairs', d.sizeOf(ImpulseGroup), rows),
      rows: room('rows', d.sizeOf(ImpulseRow), Math.min(contacts, numbers.MOST_ROWS * rows)),
    }));
    return { owner, pool, scan, sort, buffers };
  });
}
