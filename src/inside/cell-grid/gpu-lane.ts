/**
 * The cell grid's way for a stream of points on the GPU. Three sets of buffers go round: one is filled and its kernels and
 * copies are submitted, behind those of another, while the flags of the third are read. The queue never waits for the host,
 * and the host for the queue only to read flags.
 */
import { BufferPool, readStaged } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { nextSlice } from '../../gpu/passes.ts';
import { type FlagsOnTheWay, LIST_WITH_FLAGS, stageFlags, takeFlags } from '../doubtful-points.ts';
import type { StageSeconds } from '../method.ts';
import { type Lane, type Slot, SlotLane } from '../stream/lanes.ts';
import { localPoints } from '../surface.ts';
import {
  bindCellGrid,
  type CellGridOnGpu,
  type CellGridParamBuffers,
  createParams,
  POINTS_PER_THREAD,
  reservePoints,
  threadsFor,
} from './dispatch.ts';

const SLOTS = 3;
/** Points of the first piece; what it takes sizes the next ones. */
const FIRST_PIECE = 1 << 16;
/** Below this, a piece is mostly submitting and mapping, however slow its points. */
const LEAST_PIECE = 1 << 12;

/** When pieces in the queue began and end, and how large they should be. */
class QueueClock {
  readonly #most: number;
  pieceSize: number;
  /** Of a point, once that is known. */
  #seconds = 0;
  /** Points in the queue. */
  #queued = 0;
  /** Milliseconds, of `performance.now()`. */
  #lastDone = 0;

  constructor(most: number) {
    this.#most = most;
    this.pieceSize = Math.min(FIRST_PIECE, most);
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
    if (2 * points < this.pieceSize) return seconds;
    this.#seconds = seconds / points;
    const wanted = (this.pieceSize / points) * nextSlice(points, seconds);
    this.pieceSize = Math.min(this.#most, Math.max(LEAST_PIECE, Math.floor(wanted)));
    return seconds;
  }
}

class GpuSlot implements Slot {
  readonly #device: Device;
  readonly #body: CellGridOnGpu;
  readonly #clock: QueueClock;
  readonly #stages: StageSeconds;
  readonly #work: BufferPool;
  readonly #params: CellGridParamBuffers;
  /** Doubtful points that are copied with the flags: more where there were more the last time. */
  #listed = LIST_WITH_FLAGS;

  constructor(device: Device, body: CellGridOnGpu, clock: QueueClock, stages: StageSeconds) {
    this.#device = device;
    this.#body = body;
    this.#clock = clock;
    this.#stages = stages;
    this.#work = new BufferPool(device);
    this.#params = createParams(device, body);
  }

  get gpuBytes(): number {
    return this.#work.peakBytes;
  }

  async run(points: Float32Array, flags: Uint8Array): Promise<Uint32Array> {
    const started = performance.now();
    const accepted = this.#device.checked('testing points', () => this.#submit(points, flags.length));
    const submitted = performance.now();
    const expected = this.#clock.submit(flags.length);
    this.#stages.upload += (submitted - started) / 1000;
    const onTheWay = await accepted;
    await this.#device.rest(expected - (performance.now() - submitted) / 1000);
    const staged = await readStaged(this.#device, onTheWay.copies);
    this.#stages.classify += this.#clock.finish(flags.length, submitted);
    const mark = performance.now();
    const back = await takeFlags(this.#device, this.#work, onTheWay.buffers, staged);
    flags.set(back.flags.subarray(0, flags.length));
    this.#listed = Math.max(LIST_WITH_FLAGS, 2 * back.doubtful.length);
    this.#stages.readback += (performance.now() - mark) / 1000;
    return back.doubtful;
  }

  /** Points, kernels and copies, handed to the queue without a wait. */
  #submit(points: Float32Array, count: number): FlagsOnTheWay {
    const [device, work] = [this.#device, this.#work];
    const buffers = reservePoints(device, work, localPoints(points, 0, count, this.#body.frame));
    const encode = bindCellGrid(device, this.#body, buffers, this.#params, count);
    const encoder = device.handle.createCommandEncoder({ label: 'cell grid' });
    const threads = threadsFor(count);
    encode(encoder, 0, threads);
    const onTheWay = stageFlags(work, encoder, buffers, threads * POINTS_PER_THREAD, this.#listed);
    device.handle.queue.submit([encoder.finish()]);
    return onTheWay;
  }

  close(): void {
    this.#params.destroy();
    this.#work.destroy();
  }
}

/**
 * @param most points per piece
 * @param stages added to: `upload` is the host's time, `classify` that of the queue, copies for reading back included
 * @param onPiece called with the points of each piece when its flags are there
 */
export function openGpuLane(
  device: Device,
  body: CellGridOnGpu,
  options: { most: number; stages: StageSeconds; onPiece: (points: number) => void },
): Lane {
  const { most, stages, onPiece } = options;
  const clock = new QueueClock(most);
  const slots = Array.from({ length: SLOTS }, () => new GpuSlot(device, body, clock, stages));
  return new SlotLane(slots, { pieceSize: () => clock.pieceSize, onPiece });
}
