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

/** Buffers for a number of rows. */
interface Room {
  readonly owner: Owner;
  readonly pool: BufferPool;
  readonly pairs: GPUBuffer;
  readonly runs: GPUBuffer;
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
  #rows: number;

  private constructor(device: Device, bodies: number, rows: number, parts: Parts, room: Room) {
    this.#device = device;
    this.#bodies = bodies;
    this.#rows = rows;
    this.#parts = parts;
    this.#room = room;
    this.loads = parts.loads;
    this.sums = parts.sums;
    this.partial = parts.partial;
  }

  /** @param rows of pairs that there is room for. @throws DeviceError `limits` where there is none */
  static create(device: Device, bodies: number, rows: number): Promise<LoadSums> {
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
      return new LoadSums(device, bodies, rows, parts, await makeRoom(device, rows));
    });
  }

  /** `GroupLoads` of each row. */
  get pairs(): GPUBuffer {
    return this.#room.pairs;
  }

  get bytes(): number {
    return this.#parts.pool.bytes + this.#room.pool.bytes;
  }

  async grow(rows: number): Promise<void> {
    const room = await makeRoom(this.#device, rows);
    this.#room.owner.destroy();
    this.#room = room;
    this.#rows = rows;
  }

  /** Records the loads of bodies, of those of pairs. */
  recordLoads(recorder: Recorder, { table, entries, starts, perEntry }: RowsOnDevice): void {
    const { sumRuns, sumLoads } = this.#parts.kernels;
    const { pairs, runs } = this.#room;
    const device = this.#device;
    recorder.run(bind(device, sumRuns, { table, entries, loads: pairs, runs }), perEntry);
    recorder.run(bind(device, sumLoads, { starts, runs, loads: this.loads }), {
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
  async contactForces(): Promise<PairForces> {
    const { pool, pairs } = this.#room;
    const [read] = await readBack(this.#device, pool, [{ buffer: pairs, bytes: GROUP_LOADS * this.#rows }]);
    const words = wordsOf(read!);
    const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
    const offsetOf = (field: (loads: d.Infer<typeof GroupLoads>) => number) =>
      d.memoryLayoutOf(GroupLoads, field).offset / WORD;
    const [contacts, first] = [offsetOf((loads) => loads.contacts), offsetOf((loads) => loads.first)];
    const [a, b] = [offsetOf((loads) => loads.a), offsetOf((loads) => loads.b)];
    const force = offsetOf((loads) => loads.force.x);
    const size = GROUP_LOADS / WORD;
    const touching = Array.from({ length: this.#rows }, (_, row) => size * row)
      .filter((at) => words[at + contacts]! > 0)
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

function makeRoom(device: Device, rows: number): Promise<Room> {
  const { STORAGE, COPY_SRC } = GPUBufferUsage;
  return owned(async (owner) => {
    const pool = owner.keep(new BufferPool(device));
    const buffers = await device.checked('making room for loads', () => ({
      pairs: pool.reserve('loads: pairs', GROUP_LOADS * rows, STORAGE | COPY_SRC),
      runs: pool.reserve('loads: runs', d.sizeOf(RunLoads) * 2 * rows, STORAGE),
    }));
    return { owner, pool, ...buffers };
  });
}
