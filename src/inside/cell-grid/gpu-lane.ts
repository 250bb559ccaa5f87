/**
 * The cell grid's lane on the GPU. Three sets of buffers go round: one is filled and its kernels and copies are
 * submitted, behind those of another, while the flags of the third are read. The queue never waits for the host, and
 * the host for the queue only to read flags.
 */
import { type BufferPool, readStaged } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { Recorder } from '../../gpu/recorder.ts';
import { nextSlice } from '../../gpu/slices.ts';
import type { Rule } from '../classification.ts';
import {
  type FlagsOnTheWay,
  LIST_WITH_FLAGS,
  reserveFlags,
  stageFlags,
  takeFlags,
} from '../doubtful-points.ts';
import { CHUNK, type StageSeconds } from '../method.ts';
import type { LaneParts, Settle, Slot } from '../stream/lane.ts';
import type { CellGrid } from './cell-grid.ts';
import { type CellGridOnGpu, wholeWords } from './on-gpu.ts';

const SLOTS = 3;
/** Points of the first piece on a software adapter; what it takes sizes the next ones. */
const FIRST_PIECE = 1 << 16;
/** Below this, a piece is mostly submitting and mapping, however slow its points. */
const LEAST_PIECE = 1 << 12;

/** When pieces in the queue began and end, and how large they should be. */
class QueueClock {
  /** Hardware takes milliseconds for the largest piece: there all are as large as they may be. */
  readonly #isSized: boolean;
  pieceSize: number;
  /** Of a point, once that is known. */
  #seconds = 0;
  /** Points in the queue. */
  #queued = 0;
  /** Milliseconds, of `performance.now()`. */
  #lastDone = 0;

  constructor(device: Device) {
    this.#isSized = device.adapter.software;
    this.pieceSize = this.#isSized ? FIRST_PIECE : CHUNK;
  }

  /** Notes a piece that was submitted; returns the seconds from now in which it is expected to be done. */
  submit(points: number): number {
    const workedFor = this.#queued > 0 ? (performance.now() - this.#lastDone) / 1000 : 0;
    this.#queued += points;
    return this.#seconds * this.#queued - workedFor;
  }

  /** Notes a piece that is done now; returns the seconds that the queue worked on it. */
  finish(points: number, submitted: number): number {
    const now = performance.now();
    // A piece starts when it was submitted and the one before it is done.
    const seconds = (now - Math.max(submitted, this.#lastDone)) / 1000;
    this.#lastDone = now;
    this.#queued -= points;
    // Small ones say more about the way to the GPU than about points.
    if (!this.#isSized || 2 * points < this.pieceSize) return seconds;
    this.#seconds = seconds / points;
    const wanted = (this.pieceSize / points) * nextSlice(points, seconds);
    this.pieceSize = Math.min(CHUNK, Math.max(LEAST_PIECE, Math.floor(wanted)));
    return seconds;
  }
}

interface GpuRun {
  readonly body: CellGridOnGpu;
  readonly rule: Rule;
  readonly clock: QueueClock;
  readonly seconds: StageSeconds;
}

class GpuSlot implements Slot {
  readonly #run: GpuRun;
  #work: BufferPool | undefined;
  readonly #isLent: boolean;
  /** Doubtful points that are copied with the flags: more where there were more the last time. */
  #listed = LIST_WITH_FLAGS;

  /** @param work room that the caller lends; by default the body's */
  constructor(run: GpuRun, work?: BufferPool) {
    this.#run = run;
    this.#work = work;
    this.#isLent = work !== undefined;
  }

  get gpuBytes(): number {
    return this.#work?.peakBytes ?? 0;
  }

  async run(points: Float32Array, flags: Uint8Array): Promise<Uint32Array> {
    const { body, clock, seconds } = this.#run;
    const { device } = body;
    this.#work ??= body.takeWork();
    const work = this.#work;
    const started = performance.now();
    const onTheWay = device.checked('testing points', () => this.#submit(work, points, flags.length));
    const submitted = performance.now();
    const expected = clock.submit(flags.length);
    seconds.upload += (submitted - started) / 1000;
    const { copies, buffers } = await onTheWay;
    await device.rest(expected - (performance.now() - submitted) / 1000);
    const staged = await readStaged(device, copies);
    seconds.classify += clock.finish(flags.length, submitted);
    const mark = performance.now();
    const back = await takeFlags(device, work, buffers, staged);
    flags.set(back.flags.subarray(0, flags.length));
    this.#listed = Math.max(LIST_WITH_FLAGS, 2 * back.doubtful.length);
    seconds.readback += (performance.now() - mark) / 1000;
    return back.doubtful;
  }

  /** Points, kernels and copies, handed to the queue without a wait. */
  #submit(pool: BufferPool, points: Float32Array, count: number): FlagsOnTheWay {
    const { body, rule } = this.#run;
    const capacity = wholeWords(count);
    const flags = reserveFlags(pool, capacity);
    const buffers = {
      ...flags,
      points: pool.upload('points', points as Float32Array<ArrayBuffer>),
      work: body.reserveWork(pool, count),
    };
    const recorder = new Recorder(body.device, { label: 'cell grid' });
    body.record(recorder, rule, buffers, { points: count });
    const onTheWay = stageFlags(pool, recorder.encoder, flags, capacity, this.#listed);
    recorder.submit();
    return onTheWay;
  }

  close(): void {
    if (this.#work && !this.#isLent) this.#run.body.giveWork(this.#work);
    this.#work = undefined;
  }
}

/**
 * @param rule for `winding` the tables have windings, and flags become winding numbers, as `windingByte` has them
 * @param seconds added to: `upload` is the host's time, `classify` that of the queue, copies for reading back included
 * @param work room for one piece at a time, which the caller owns; by default three are in work, in room of the body's
 */
export async function gpuLane(
  grid: CellGrid,
  device: Device,
  rule: Rule,
  seconds: StageSeconds,
  settle: Settle,
  work?: BufferPool,
): Promise<LaneParts> {
  const body = await grid.onGpu(device);
  await body.prepare(rule);
  const clock = new QueueClock(device);
  const run = { body, rule, clock, seconds };
  return {
    slots: Array.from({ length: work ? 1 : SLOTS }, () => new GpuSlot(run, work)),
    pieceSize: () => clock.pieceSize,
    settle,
    tableBytes: () => grid.tables.bytes,
    tablesOnGpu: () => grid.gpuBytes,
  };
}
