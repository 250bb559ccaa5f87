/**
 * Contacts of convex pairs on the GPU where all shapes are balls: no solver is needed. It records kernels; nothing
 * waits.
 */
import { sizeOf, vec2u } from 'typegpu/data';
import { TOUCHING_TOLERANCE_32 } from '../../convex/constants.ts';
import { OPEN_HEADER, OpenWord } from '../../convex/gpu/pair-layout.ts';
import { bind } from '../../gpu/bind.ts';
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { IndirectSizes } from '../../gpu/indirect.ts';
import { compileKernels, type KernelsOf } from '../../gpu/kernel.ts';
import { type Owner, owned } from '../../gpu/owned.ts';
import type { Recorder } from '../../gpu/recorder.ts';
import { WORD } from '../../gpu/words.ts';
import * as sources from './convex-contact-kernels.ts';
import type { ConvexOnDeviceOptions, ConvexPairsOnDevice } from './convex-on-device.ts';
import { type PlacedBuffers, PlacedColliders } from './placed-colliders.ts';

const constants = { TOUCHING: TOUCHING_TOLERANCE_32 };
const KERNELS = {
  find: { ...sources.findBallContactsSource, constants },
  write: { ...sources.writeBallContactsSource, constants },
};

interface Parts {
  readonly owner: Owner;
  readonly pool: BufferPool;
  readonly colliders: PlacedColliders;
  readonly kernels: KernelsOf<typeof KERNELS>;
  readonly sizes: IndirectSizes;
  readonly buffers: PlacedBuffers;
}

export class BallsOnDevice {
  /** As `ConvexOnDevice` has it. */
  readonly open: GPUBuffer;
  readonly #device: Device;
  readonly #mostPairs: number;
  readonly #parts: Parts;
  #pairs: GPUBuffer | undefined;

  private constructor(device: Device, mostPairs: number, parts: Parts) {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    this.#device = device;
    this.#mostPairs = mostPairs;
    this.#parts = parts;
    const bytes = WORD * (OPEN_HEADER + mostPairs);
    this.open = parts.pool.reserve('open pairs', bytes, STORAGE | COPY_SRC | COPY_DST);
  }

  /** @throws DeviceError `limits` where the device allows no buffer so large */
  static create(
    device: Device,
    { table, colliders: all, cell, mostPairs }: Omit<ConvexOnDeviceOptions, 'faces'>,
  ): Promise<BallsOnDevice> {
    return owned(async (owner) => {
      const colliders = owner.keep(await PlacedColliders.create(device, { table, colliders: all, cell }));
      const kernels = await compileKernels(device, KERNELS);
      const sizes = owner.keep(await IndirectSizes.create(device));
      const pool = owner.keep(new BufferPool(device));
      return device.checked('making room for pairs of balls', () => {
        const buffers = PlacedColliders.reserve(pool, colliders.count);
        return new BallsOnDevice(device, mostPairs, { owner, pool, colliders, kernels, sizes, buffers });
      });
    });
  }

  /** Two u32 per pair: those that the numbers in `open` are of. */
  get solved(): GPUBuffer {
    return this.#pairs!;
  }

  get gpuBytes(): number {
    return this.#parts.pool.bytes + this.#parts.colliders.bytes;
  }

  /** Records what stands before a pass. */
  begin(recorder: Recorder): void {
    recorder.clear(this.open, WORD * OpenWord.listed, WORD);
  }

  /** Records that balls are placed. Contacts are found where they are counted. */
  record(recorder: Recorder, { bodies, pairs, count, isKept = false }: ConvexPairsOnDevice): void {
    this.#parts.colliders.record(recorder, bodies, this.#parts.buffers);
    const most = Math.min(this.#mostPairs, Math.floor(pairs.size / sizeOf(vec2u)));
    this.#parts.sizes.record(recorder, count, { place: 0, most, isKept });
    this.#pairs = pairs;
  }

  /** Records that the number of contacts of pair i of the last `record` goes to `counts[countsAt + i]`. */
  countContacts(recorder: Recorder, counts: GPUBuffer, countsAt: number): void {
    const bound = bind(this.#device, this.#parts.kernels.find, { ...this.#found, open: this.open, counts });
    recorder.run(bound, { ...this.#allPairs, params: { countsAt } });
  }

  /**
   * Records that the contacts of pair i are written as `ContactRecord`, from `offsets[countsAt + i]` on, up to where
   * those of the next one begin. Those that `records` has no room for are left out.
   */
  writeContacts(recorder: Recorder, offsets: GPUBuffer, countsAt: number, records: GPUBuffer): void {
    const { origins } = this.#parts.colliders;
    const written = { ...this.#found, origins, offsets, records };
    const bound = bind(this.#device, this.#parts.kernels.write, written);
    recorder.run(bound, { ...this.#allPairs, params: { countsAt } });
  }

  get #found() {
    const { colliders, buffers, sizes } = this.#parts;
    const shapes = colliders.shapes.tables.records;
    return { sizes: sizes.buffer, asked: this.#pairs!, placed: buffers.placed, shapes };
  }

  /** As many as there is room for: in each step an indirect dispatch would cost more than threads without work. */
  get #allPairs() {
    return { threads: this.#mostPairs };
  }

  destroy(): void {
    this.#parts.owner.destroy();
  }
}
