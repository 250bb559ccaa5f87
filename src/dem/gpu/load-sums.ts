/** Loads of contacts, added up in one order: loads of each body, and sums over all pairs. */
import * as d from 'typegpu/data';
import type { RowsOnDevice } from '../../contacts/gpu/pair-rows.ts';
import { bind } from '../../gpu/bind.ts';
import { BufferPool, readBack, wordsOf } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { compileKernels, type KernelsOf } from '../../gpu/kernel.ts';
import { type Owner, owned } from '../../gpu/owned.ts';
import type { Recorder } from '../../gpu/recorder.ts';
import { WORD } from '../../gpu/words.ts';
import type { PairForces } from '../forces/pair-forces.ts';
import {
  GroupLoads,
  joinSumsSource,
  RunLoads,
  sumLoadsSource,
  sumRunsSource,
} from './forces/force-kernels.ts';
import { BodyLoads, ForceSums } from './step-layout.ts';

const SUMS = d.sizeOf(ForceSums);
const GROUP_LOADS = d.sizeOf(GroupLoads);
/** Threads that add up pairs, and how many sums each thread of the next two rounds joins. */
export const SUM_THREADS = 1024;
const JOIN_WIDTH = 32;

const KERNELS = { sumRuns: sumRunsSource, sumLoads: sumLoadsSource, joinSums: joinSumsSource };

/** Buffers for numbers of rows. */
interface Room {
  readonly owner: Owner;
  readonly pool: BufferPool;
  readonly pairs: GPUBuffer;
  readonly runs: GPUBuffer;
  readonly runOf: GPUBuffer;
}

/** Rows of pairs, and those of them that touch at once. */
export interface RowCapacity {
  readonly rows: number;
  readonly touching: number;
}

/** A word of each row: 1 more than the place of its loads, or 0 where it touches nothing. */
export interface PlacesOfRows {
  readonly buffer: GPUBuffer;
  /** Words before the first one. */
  readonly at: number;
}

/** Buffers and kernels that stay. */
interface Parts {
  readonly owner: Owner;
  readonly pool: BufferPool;
  readonly kernels: KernelsOf<typeof KERNELS>;
  readonly loads: GPUBuffer;
  readonly sums: GPUBuffer;
  readonly partial: GPUBuffer;
  readonly wider: GPUBuffer;
}

export class LoadSums {
  /** `BodyLoads` of each body. */
  readonly loads: GPUBuffer;
  /** `ForceSums` */
  readonly sums: GPUBuffer;
  /** `ForceSums` of `SUM_THREADS` threads. */
  readonly partial: GPUBuffer;
  readonly #device: Device;
  readonly #bodies: number;
  readonly #parts: Parts;
  #room: Room;
  #capacity: RowCapacity;

  private constructor(device: Device, bodies: number, capacity: RowCapacity, parts: Parts, room: Room) {
    this.#device = device;
    this.#bodies = bodies;
    this.#capacity = capacity;
    this.#parts = parts;
    this.#room = room;
    this.loads = parts.loads;
    this.sums = parts.sums;
    this.partial = parts.partial;
  }

  /** @throws DeviceError `limits` where there is no room */
  static create(device: Device, bodies: number, capacity: RowCapacity): Promise<LoadSums> {
    return owned(async (owner) => {
      const pool = owner.keep(new BufferPool(device));
      const kernels = await compileKernels(device, KERNELS);
      const { STORAGE, COPY_SRC } = GPUBufferUsage;
      const buffers = await device.checked('making room for loads', () => ({
        loads: pool.reserve('loads: bodies', d.sizeOf(BodyLoads) * bodies, STORAGE | COPY_SRC),
        sums: pool.reserve('loads: sums', SUMS, STORAGE | COPY_SRC),
        partial: pool.reserve('loads: sums of threads', SUMS * SUM_THREADS, STORAGE),
        wider: pool.reserve('loads: sums of ranges', (SUMS * SUM_THREADS) / JOIN_WIDTH, STORAGE),
      }));
      const parts = { owner, pool, kernels, ...buffers };
      return new LoadSums(device, bodies, capacity, parts, await makeRoom(device, capacity));
    });
  }

  /** `GroupLoads` of each row that touches, in any order. */
  get pairs(): GPUBuffer {
    return this.#room.pairs;
  }

  get bytes(): number {
    return this.#parts.pool.bytes + this.#room.pool.bytes;
  }

  async grow(capacity: RowCapacity): Promise<void> {
    const room = await makeRoom(this.#device, capacity);
    this.#room.owner.destroy();
    this.#room = room;
    this.#capacity = capacity;
  }

  /** Records the loads of bodies, of those of pairs. */
  recordLoads(
    recorder: Recorder,
    { table, entries, starts, perEntry }: RowsOnDevice,
    { buffer: places, at: placesAt }: PlacesOfRows,
  ): void {
    const { sumRuns, sumLoads } = this.#parts.kernels;
    const { pairs, runs, runOf } = this.#room;
    const device = this.#device;
    recorder.run(bind(device, sumRuns, { table, entries, places, loads: pairs, runs, runOf }), {
      ...{ ...perEntry, params: { placesAt } },
    });
    recorder.run(bind(device, sumLoads, { starts, entries, runOf, runs, loads: this.loads }), {
      ...{ threads: this.#bodies, params: { bodies: this.#bodies } },
    });
  }

  /** Records the sums of those of threads. */
  recordSums(recorder: Recorder): void {
    const { kernels, wider } = this.#parts;
    let threads = SUM_THREADS;
    for (const [parts, sums] of [
      [this.partial, wider],
      [wider, this.sums],
    ] as const) {
      threads /= JOIN_WIDTH;
      recorder.run(bind(this.#device, kernels.joinSums, { parts, sums }), {
        ...{ threads, params: { threads, width: JOIN_WIDTH, contactRoom: 0, memory: 0 } },
      });
    }
  }

  /** Between bodies that touch, in the order of their contacts: of the last step that was tried. */
  async contactForces({ buffer, at: placesAt }: PlacesOfRows): Promise<PairForces> {
    const { pool, pairs } = this.#room;
    const { rows, touching: room } = this.#capacity;
    const [read, ofRows] = await readBack(this.#device, pool, [
      { buffer: pairs, bytes: GROUP_LOADS * room },
      { buffer, bytes: WORD * (placesAt + rows) },
    ]);
    const words = wordsOf(read!);
    const places = wordsOf(ofRows!).subarray(placesAt);
    const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
    const offsetOf = (field: (loads: d.Infer<typeof GroupLoads>) => number) =>
      d.memoryLayoutOf(GroupLoads, field).offset / WORD;
    const first = offsetOf((loads) => loads.first);
    const [a, b] = [offsetOf((loads) => loads.a), offsetOf((loads) => loads.b)];
    const force = offsetOf((loads) => loads.force.x);
    const size = GROUP_LOADS / WORD;
    const touching = Array.from(places.filter((place) => place > 0))
      .map((place) => size * (place - 1))
      .sort((one, other) => words[one + first]! - words[other + first]!);
    return {
      count: touching.length,
      bodies: Uint32Array.from(touching.flatMap((at) => [words[at + a]!, words[at + b]!])),
      forces: Float64Array.from(touching.flatMap((at) => [...floats.subarray(at + force, at + force + 3)])),
    };
  }

  destroy(): void {
    this.#room.owner.destroy();
    this.#parts.owner.destroy();
  }
}

function makeRoom(device: Device, { rows, touching }: RowCapacity): Promise<Room> {
  const { STORAGE, COPY_SRC } = GPUBufferUsage;
  return owned(async (owner) => {
    const pool = owner.keep(new BufferPool(device));
    const buffers = await device.checked('making room for loads', () => ({
      pairs: pool.reserve('loads: pairs', GROUP_LOADS * touching, STORAGE | COPY_SRC),
      runs: pool.reserve('loads: runs', d.sizeOf(RunLoads) * 2 * touching, STORAGE),
      runOf: pool.reserve('loads: places of runs', WORD * 2 * rows, STORAGE),
    }));
    return { owner, pool, ...buffers };
  });
}
