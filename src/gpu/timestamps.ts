/** What compute passes take by the GPU's own clock, where the device has the feature `timestamp-query`. */
import { readStaged } from './buffers.ts';
import type { Device } from './device.ts';

/** Passes of one query set: two timestamps each, 4096 in WebGPU's largest. */
const PASSES = 256;
/** Query sets full of passes that one timer has room for: hours of slices. */
const SETS = 64;
const BYTES_PER_SET = PASSES * 2 * 8;

/** Timers under way, at most one per device. */
const timers = new WeakMap<Device, PassTimer>();

/** Times all passes that are encoded on a device until it is read or stopped. */
export class PassTimer {
  readonly #device: Device;
  readonly #queries: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  readonly #staging: GPUBuffer;
  /** Passes so far, those that there was no room for included. */
  #passes = 0;

  constructor(device: Device) {
    const { handle } = device;
    this.#device = device;
    this.#queries = handle.createQuerySet({ label: 'passes', type: 'timestamp', count: 2 * PASSES });
    const size = SETS * BYTES_PER_SET;
    const { QUERY_RESOLVE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
    this.#resolved = handle.createBuffer({ label: 'timestamps', size, usage: QUERY_RESOLVE | COPY_SRC });
    this.#staging = handle.createBuffer({ label: 'timestamps read back', size, usage: MAP_READ | COPY_DST });
  }

  /** Where the next pass of an encoder writes its two timestamps; undefined where there is no room left. */
  next(encoder: GPUCommandEncoder): GPUComputePassTimestampWrites | undefined {
    const pass = this.#passes++;
    if (pass >= PASSES * SETS) return undefined;
    const place = pass % PASSES;
    // Queries are used again: what they hold is moved first.
    if (place === 0 && pass > 0) this.#resolve(encoder, pass / PASSES - 1, PASSES);
    const [begin, end] = [2 * place, 2 * place + 1];
    return { querySet: this.#queries, beginningOfPassWriteIndex: begin, endOfPassWriteIndex: end };
  }

  #resolve(encoder: GPUCommandEncoder, set: number, passes: number): void {
    encoder.resolveQuerySet(this.#queries, 0, 2 * passes, this.#resolved, set * BYTES_PER_SET);
  }

  /**
   * Stops, and sums up the seconds of all passes. Undefined if there was no room for some, or if a clock ran backwards,
   * which WebGPU allows. All passes have to be submitted.
   */
  async read(): Promise<number | undefined> {
    this.stop();
    const passes = this.#passes;
    if (passes > PASSES * SETS) return undefined;
    if (passes === 0) return 0;
    const bytes = 16 * passes;
    const device = this.#device;
    const staged = { staging: this.#staging, bytes: [bytes] };
    await device.checked('reading timestamps', () => {
      const encoder = device.handle.createCommandEncoder({ label: 'timestamps' });
      const set = Math.floor((passes - 1) / PASSES);
      this.#resolve(encoder, set, passes - set * PASSES);
      encoder.copyBufferToBuffer(this.#resolved, 0, this.#staging, 0, bytes);
      device.handle.queue.submit([encoder.finish()]);
    });
    const [found] = await readStaged(device, staged);
    return sumOfPasses(new BigUint64Array(found!.buffer as ArrayBuffer, found!.byteOffset, 2 * passes));
  }

  /** Later passes are not timed. Safe to call twice. */
  stop(): void {
    if (timers.get(this.#device) === this) timers.delete(this.#device);
  }

  destroy(): void {
    this.stop();
    this.#queries.destroy();
    this.#resolved.destroy();
    this.#staging.destroy();
  }
}

/** Seconds of passes from the nanoseconds at which they began and ended. */
export function sumOfPasses(times: BigUint64Array): number | undefined {
  let sum = 0n;
  for (let i = 0; i < times.length; i += 2) {
    if (times[i + 1]! < times[i]!) return undefined;
    sum += times[i + 1]! - times[i]!;
  }
  return Number(sum) * 1e-9;
}

/**
 * Times the passes of a device from now on; undefined if it has no timestamps. The caller has the device to itself.
 */
export async function startPassTimer(device: Device): Promise<PassTimer | undefined> {
  if (!device.features.has('timestamp-query')) return undefined;
  const timer = await device.checked('making room for timestamps', () => new PassTimer(device));
  timers.set(device, timer);
  return timer;
}

/** What a pass that is about to begin is to write, if it is timed. */
export function passTimestamps(
  device: Device,
  encoder: GPUCommandEncoder,
): GPUComputePassTimestampWrites | undefined {
  return timers.get(device)?.next(encoder);
}
