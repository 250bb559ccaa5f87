/** What tests of building blocks share: buffers of words, reading back, a random number per place. */
import { afterEach, beforeEach } from 'vitest';
import type { Form } from '../../src/gpu/blocks/form.ts';
import { BufferPool, readBack } from '../../src/gpu/buffers.ts';
import type { Device } from '../../src/gpu/device.ts';
import { Recorder } from '../../src/gpu/recorder.ts';
import { mixBits } from '../../src/mesh/random.ts';

/** Sizes around those of workgroups, tiles and chunks, and primes. */
export const SIZES = [0, 1, 63, 64, 65, 1_021, 1_025, 4_096, 4_097, 65_537];
export const LARGEST = 10_000_000;

/** The largest size for a form. On a software adapter a workgroup with barriers costs milliseconds. */
export function largestOf(form: Form, device: Device): number {
  return form === 'serial' || !device.adapter.software ? LARGEST : 300_007;
}

/** Whether a device can run a form. */
export function isOffered(form: Form, device: Device): boolean {
  return form !== 'subgroups' || device.features.has('subgroups');
}

/** Words made by their place. */
export function wordsBy(count: number, word: (i: number) => number): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(count);
  for (let i = 0; i < count; i++) words[i] = word(i);
  return words;
}

/** Random bits per place and salt. */
export const randomBits = (i: number, salt = 0): number => mixBits(i + 0x9e3779b9 * salt) >>> 0;

/** A `Bench` for each test, on a device that `useDevice` opens. */
export function useBench(device: () => Device): () => Bench {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench(device());
  });
  afterEach(() => bench.destroy());
  return () => bench;
}

/** Runs building blocks on buffers of a pool of its own. */
export class Bench {
  readonly device: Device;
  readonly pool: BufferPool;

  constructor(device: Device) {
    this.device = device;
    this.pool = new BufferPool(device);
  }

  /** A buffer with words, usable for everything. */
  buffer(label: string, data: Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>): GPUBuffer {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const buffer = this.pool.reserve(label, data.byteLength, STORAGE | COPY_SRC | COPY_DST);
    this.device.handle.queue.writeBuffer(buffer, 0, data);
    return buffer;
  }

  submit(record: (recorder: Recorder) => void): Promise<void> {
    return this.device.checked('testing a building block', () => {
      const recorder = new Recorder(this.device);
      record(recorder);
      recorder.submit();
    });
  }

  async words(buffer: GPUBuffer, count: number): Promise<Uint32Array> {
    const [bytes] = await readBack(this.device, this.pool, [{ buffer, bytes: 4 * count }]);
    return new Uint32Array(bytes!.buffer as ArrayBuffer, bytes!.byteOffset, count);
  }

  async floats(buffer: GPUBuffer, count: number): Promise<Float32Array> {
    const words = await this.words(buffer, count);
    return new Float32Array(words.buffer, words.byteOffset, count);
  }

  destroy(): void {
    this.pool.destroy();
  }
}

/** The first place at which two arrays differ, with what is there; undefined where they agree: quick for large ones. */
export function firstDifference(
  found: ArrayLike<number>,
  expected: ArrayLike<number>,
): { at: number; found: number | undefined; expected: number | undefined } | undefined {
  const length = Math.max(found.length, expected.length);
  for (let at = 0; at < length; at++) {
    if (!Object.is(found[at], expected[at])) return { at, found: found[at], expected: expected[at] };
  }
  return undefined;
}
