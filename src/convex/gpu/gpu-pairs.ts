/**
 * Queries for many pairs on the GPU, in float32. What it cannot decide it says, pair by pair. docs/convex.md, "In
 * float32".
 */
import { sizeOf } from 'typegpu/data';
import { createScan, type Scan } from '../../gpu/blocks/scan.ts';
import { BufferPool, readStaged, type StagedCopies, stageCopies, writeBuffer } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { lapClock } from '../../gpu/lap-clock.ts';
import { Recorder } from '../../gpu/recorder.ts';
import { nextSlice } from '../../gpu/slices.ts';
import { startPassTimer } from '../../gpu/timestamps.ts';
import type { BackendSeconds, PairBackend, PairRunOptions } from '../query/backends.ts';
import type { BatchOnDevice, PairsOnDevice, PairsOnDeviceOptions } from '../query/on-device.ts';
import { float32ArraysFor } from '../query/pair-arrays.ts';
import type { PairQuestion, ResolvedPairQuery } from '../query/pair-query.ts';
import { POSE_SIZE, splitPoses } from '../shapes/pose.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import { type AnswerArrays, type GpuPairAnswers, takeAnswers } from './answers.ts';
import { Body } from './pair-layout.ts';
import { PairProgram } from './pair-program.ts';
import { answerBytes, type PairRoom, reserveRoom, slotBytes } from './pair-room.ts';
import { PairShapes } from './pair-shapes.ts';
import { DevicePairs } from './pairs-on-device.ts';
import { pairPlan } from './plan.ts';
import { QueryPairs } from './query-pairs.ts';

/**
 * Pairs of convex bodies that are worked on at once: 32 MiB of simplices, 64 MiB of contacts, well inside every
 * portable limit.
 */
const MOST_SLOTS = 1 << 18;
/** Pairs of the first slice: about 10 ms of work on a software adapter. */
const FIRST_SLICE = 4096;
/** Seconds that the first slice may take, where it is known how long pairs take. */
const SLICE_SECONDS = 0.1;

/** Seconds that are still being counted. */
type Seconds = { -readonly [K in keyof BackendSeconds]: BackendSeconds[K] };

export interface GpuPairsOptions {
  /** Bytes of the largest buffer to be made, at most what the device allows, which is the default. */
  readonly largestBinding?: number;
  /** Whether the host waits for each slice. Default: on software adapters, whose work goes on for long. */
  readonly waits?: boolean;
}

/** The shapes of a table on a GPU, and queries for pairs of them. */
export class GpuPairs implements PairBackend {
  readonly #device: Device;
  readonly #shapes: PairShapes;
  /** Buffers of queries, kept from one to the next. */
  readonly #work: BufferPool;
  readonly #largestBinding: number;
  readonly #waits: boolean;
  /** For sorting, with room for so many numbers. */
  #scan: { readonly scan: Scan; readonly most: number } | undefined;
  /** Of the last slices: how large the first one of the next may be. */
  #pairsPerSecond = 0;

  private constructor(device: Device, shapes: PairShapes, options: GpuPairsOptions) {
    const { maxStorageBufferBindingSize, maxBufferSize } = device.limits;
    const allowed = Math.min(maxStorageBufferBindingSize, maxBufferSize);
    this.#device = device;
    this.#shapes = shapes;
    this.#work = new BufferPool(device);
    this.#largestBinding = Math.min(allowed, options.largestBinding ?? allowed);
    this.#waits = options.waits ?? device.adapter.software;
  }

  /** Uploads the shapes. @throws DeviceError if the device has not enough room for them. */
  static async create(device: Device, table: ShapeTable, options: GpuPairsOptions = {}): Promise<GpuPairs> {
    return new GpuPairs(device, await PairShapes.create(device, table), options);
  }

  /** Bytes of GPU memory held now. */
  get gpuBytes(): number {
    return this.#shapes.bytes + this.#work.bytes;
  }

  /**
   * Answers a query that has been checked.
   *
   * @throws DeviceError if the device is lost, refuses or has not enough memory; the reason of `signal` if it is
   * aborted.
   */
  query(query: ResolvedPairQuery, run: PairRunOptions = {}): Promise<GpuPairAnswers> {
    return this.#device.exclusive(() => this.#answer(query, run));
  }

  onDevice(
    question: PairQuestion,
    options: PairsOnDeviceOptions,
    batch: BatchOnDevice,
  ): Promise<PairsOnDevice> {
    return DevicePairs.create(this.#device, this.#shapes, question, options, batch);
  }

  async #answer(query: ResolvedPairQuery, run: PairRunOptions): Promise<GpuPairAnswers> {
    const device = this.#device;
    device.assertOpen();
    run.signal?.throwIfAborted();
    const seconds: Seconds = { upload: 0, kernel: 0, readback: 0 };
    const plan = pairPlan(query);
    const count = query.pairs.length / 2;
    const arrays = float32ArraysFor(query.kind, count);
    const timer = run.timestamps ? await startPassTimer(device) : undefined;
    try {
      const lap = lapClock();
      if (count > 0) {
        const kinds = this.#shapes.kindsOf(query.shapes);
        const combinations = this.#shapes.combinationsOf(query, kinds);
        const options = { plan, kinds, pairs: count, combinations };
        const program = await PairProgram.create(device, this.#shapes, options);
        await this.#makeScan(program, Math.min(count, MOST_SLOTS));
        seconds.upload += lap();
        const pairs = new QueryPairs(query, this.#shapes);
        const most = this.#pairsPerRound(program);
        for (let first = 0; first < count; first += most) {
          const round = { first, end: Math.min(count, first + most) };
          await this.#answerRound({ query, program, pairs, arrays, seconds }, round, run);
        }
      }
      const gpu = await timer?.read();
      return { ...arrays, seconds: gpu === undefined ? seconds : { ...seconds, gpu } };
    } finally {
      timer?.destroy();
    }
  }

  async #makeScan(program: PairProgram, pairs: number): Promise<void> {
    const most = program.countsFor(pairs);
    if (most <= (this.#scan?.most ?? 0)) return;
    this.#scan?.scan.destroy();
    this.#scan = undefined;
    this.#scan = { scan: await createScan(this.#device, { most }), most };
  }

  /** Pairs whose answers are read back together. */
  #pairsPerRound(program: PairProgram): number {
    const { answers, manifolds } = answerBytes(program);
    const inBinding = this.#largestBinding / Math.max(answers, manifolds, 12);
    const inStaging = this.#device.limits.maxBufferSize / (answers + manifolds);
    return Math.max(1, Math.floor(Math.min(inBinding, inStaging)));
  }

  /** Uploads pairs, has them answered, and reads all answers back at once. */
  async #answerRound(
    call: Call,
    { first, end }: { first: number; end: number },
    run: PairRunOptions,
  ): Promise<void> {
    const device = this.#device;
    const { seconds, program } = call;
    const lap = lapClock();
    const slice = Math.max(FIRST_SLICE, SLICE_SECONDS * this.#pairsPerSecond);
    // Each wait costs some time, and a software adapter's threads spin for a while after each submission.
    const isLong = slice < end - first || call.pairs.partPairs(first, end) > MOST_SLOTS;
    const isSliced = run.onProgress !== undefined || (this.#waits && isLong);
    let staged: StagedCopies | undefined;
    if (isSliced) {
      const round = await device.checked('uploading pairs', () => this.#upload(call, first, end));
      seconds.upload += lap();
      staged = await this.#answerSlices(call, round, slice, run);
      seconds.kernel += lap();
    } else {
      staged = await device.checked('answering for pairs', () => {
        const round = this.#upload(call, first, end);
        let at = 0;
        let found: StagedCopies | undefined;
        while (found === undefined) ({ end: at, staged: found } = this.#submit(call, round, at, end - first));
        return found;
      });
      seconds.upload += lap();
    }
    const [answers, manifolds] = await device.restWhile(readStaged(device, staged));
    const waited = lap();
    // Without slices nobody knows when the kernels were done.
    seconds[isSliced ? 'readback' : 'kernel'] += waited;
    if (!isSliced) this.#pairsPerSecond = (end - first) / Math.max(waited, 1e-4);
    takeAnswers(program.plan, program.isConcave, call.arrays, {
      ...{ first, count: end - first },
      answers: new Uint32Array(answers!.buffer, answers!.byteOffset, answers!.byteLength / 4),
      manifolds:
        manifolds && new Float32Array(manifolds.buffer, manifolds.byteOffset, manifolds.byteLength / 4),
    });
    seconds.readback += lap();
    run.signal?.throwIfAborted();
  }

  /** One slice after the other, sized by how long the one before took. */
  async #answerSlices(call: Call, round: Round, slice: number, run: PairRunOptions): Promise<StagedCopies> {
    const device = this.#device;
    const { count, first } = round;
    const started = performance.now();
    let size = slice;
    let expected = 0;
    let staged: StagedCopies | undefined;
    for (let at = 0; staged === undefined; ) {
      run.signal?.throwIfAborted();
      const sliceStarted = performance.now();
      const wanted = Math.min(count, at + Math.max(1, Math.floor(size)));
      const from = at;
      const submit = () => this.#submit(call, round, from, wanted);
      ({ end: at, staged } = await device.checked('answering for pairs', submit));
      await device.finished(expected);
      const taken = (performance.now() - sliceStarted) / 1000;
      size = nextSlice(at - from, taken);
      expected = taken * Math.min(1, size / (at - from));
      run.onProgress?.(first + at);
    }
    this.#pairsPerSecond = count / Math.max((performance.now() - started) / 1000, 1e-4);
    return staged;
  }

  /** Uploads the pairs of a round; makes room for bodies and answers. */
  #upload({ query, program, pairs }: Call, first: number, end: number): Round {
    const pool = this.#work;
    const count = end - first;
    const slotsWanted = pairs.partPairs(first, end);
    const slots = Math.min(slotsWanted, MOST_SLOTS, Math.floor(this.#largestBinding / slotBytes(program)));
    const mostBodies = Math.floor(this.#largestBinding / sizeOf(Body)) - 1;
    const isWhole = pairs.convexBodies <= mostBodies;
    // Each pair comes with its own bodies at worst.
    const perSlice = isWhole ? slots : Math.min(slots, Math.floor(mostBodies / (2 * this.#shapes.mostParts)));
    const sizes = {
      bodies: isWhole ? query.shapes.length : 2 * perSlice,
      convexBodies: isWhole ? pairs.convexBodies : mostBodies,
      pairs: Math.max(1, Math.min(count, perSlice)),
      slots: Math.max(1, slots),
      answers: count,
    };
    const room = reserveRoom(this.#device, pool, program, sizes, this.#scan?.scan);
    const normals = query.warm?.subarray(3 * first, 3 * end);
    return {
      ...{ first, count, room, isWhole },
      asked: pool.upload('pairs', query.pairs.subarray(2 * first, 2 * end) as Uint32Array<ArrayBuffer>),
      normals: normals && pool.upload('normals to start from', Float32Array.from(normals)),
    };
  }

  /**
   * Submits as many of a round's pairs from `from` to before `wanted` as there is room for, bodies before the first
   * and copies for the host behind the last. Says where they end.
   */
  #submit({ program, pairs, query }: Call, round: Round, from: number, wanted: number) {
    const { first, count, room, isWhole, asked, normals } = round;
    const end =
      pairs.fitting(first + from, Math.min(first + wanted, first + from + room.pairs), room.slots) - first;
    const recorder = new Recorder(this.#device, { label: 'pairs' });
    let bodyCount = query.shapes.length;
    if (!isWhole) {
      const own = pairs.withBodies(first + from, first + end);
      writeBuffer(this.#device, asked, own.pairs, 8 * from);
      this.#recordBodies(recorder, program, room, own);
      bodyCount = own.shapes.length;
    } else if (from === 0) {
      this.#recordBodies(recorder, program, room, query);
    }
    program.recordPairs(recorder, room, { asked, normals, bodyCount, first: from, count: end - from });
    const staged = end === count ? this.#stage(recorder, program, round) : undefined;
    recorder.submit();
    return { end, staged };
  }

  /** Uploads poses, as float32 and what that leaves of them, and records that bodies are placed. */
  #recordBodies(
    recorder: Recorder,
    program: PairProgram,
    room: PairRoom,
    { poses, shapes }: Pick<ResolvedPairQuery, 'poses' | 'shapes'>,
  ): void {
    const pool = this.#work;
    const isFloat32 = poses instanceof Float32Array;
    const split = isFloat32 ? { poses: poses as Float32Array<ArrayBuffer> } : splitPoses(poses);
    program.recordBodies(recorder, room, {
      poses: pool.upload('poses', split.poses),
      rests: 'poseRests' in split ? pool.upload('rests of poses', split.poseRests) : undefined,
      shapes: pool.upload('shapes of bodies', shapes as Uint32Array<ArrayBuffer>),
      count: poses.length / POSE_SIZE,
    });
  }

  #stage(recorder: Recorder, program: PairProgram, { room, count }: Round): StagedCopies {
    const { answers, manifolds } = answerBytes(program);
    const sources = [{ buffer: room.buffers.answers, bytes: answers * count }];
    if (manifolds > 0) sources.push({ buffer: room.buffers.manifolds, bytes: manifolds * count });
    return stageCopies(this.#work, recorder.encoder, sources);
  }

  destroy(): void {
    this.#shapes.destroy();
    this.#work.destroy();
    this.#scan?.scan.destroy();
    this.#scan = undefined;
  }
}

/** One query under way. */
interface Call {
  readonly query: ResolvedPairQuery;
  readonly program: PairProgram;
  readonly pairs: QueryPairs;
  readonly arrays: AnswerArrays;
  readonly seconds: Seconds;
}

/** Pairs that are on the GPU together. */
interface Round {
  readonly first: number;
  readonly count: number;
  readonly room: PairRoom;
  /** Whether all bodies are on the GPU; else those of each slice are uploaded with it. */
  readonly isWhole: boolean;
  readonly asked: GPUBuffer;
  readonly normals: GPUBuffer | undefined;
}
