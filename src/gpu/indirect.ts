/** Sizes of indirect dispatches, made on the GPU of counts that only the GPU knows. */
import * as d from 'typegpu/data';
import indirectSizeWgsl from '../../shaders/gpu/indirect-size.wgsl';
import { bind } from './bind.ts';
import type { Device } from './device.ts';
import { dispatchSize, GROUP } from './dispatch.ts';
import { compileKernel, type KernelOf, kernelSource } from './kernel.ts';
import type { IndirectSize, Recorder } from './recorder.ts';
import { struct } from './struct.ts';
import { WORD } from './words.ts';

/** Workgroups in x, y and z, and the count. */
const Size = d.vec4u;

const IndirectSizeParams = struct('IndirectSizeParams', {
  /** Words before the count, and vec4u before the size. */
  countAt: d.u32,
  sizeAt: d.u32,
  /** Counts above that are taken as that. */
  most: d.u32,
  threadsPerItem: d.u32,
  itemsPerThread: d.u32,
  /** Most workgroups per dimension, and in all. */
  mostGroups: d.u32,
  allGroups: d.u32,
});

export const indirectSizeSource = kernelSource(indirectSizeWgsl, {
  params: { uniform: IndirectSizeParams },
  counts: { storage: d.arrayOf(d.u32) },
  sizes: { storage: d.arrayOf(Size), access: 'mutable' },
});

/** A u32 in a buffer, at a multiple of 4 bytes. */
export interface BufferCount {
  readonly buffer: GPUBuffer;
  readonly offset?: number;
}

/** How many threads a count comes to. */
export interface CountedThreads {
  /** Place of the result among `places`. */
  readonly place: number;
  /** Counts above that are taken as that: the room of what the threads write. */
  readonly most: number;
  /** Threads that work on one item; default 1. */
  readonly threadsPerItem?: number;
  /** Items that one thread works on; default 1. Not both. */
  readonly itemsPerThread?: number;
  /** The count is that of the last time, and so is the size: nothing is recorded. */
  readonly isKept?: boolean;
}

/** Room for a number of indirect sizes, and the kernel that makes them. */
export class IndirectSizes {
  /** A `Size` per place; its count is at most `most`. Kernels may bind it as storage. */
  readonly buffer: GPUBuffer;
  readonly #device: Device;
  readonly #kernel: KernelOf<typeof indirectSizeSource>;

  private constructor(device: Device, kernel: KernelOf<typeof indirectSizeSource>, places: number) {
    this.#device = device;
    this.#kernel = kernel;
    const { STORAGE, INDIRECT, COPY_SRC } = GPUBufferUsage;
    this.buffer = device.handle.createBuffer({
      label: 'indirect sizes',
      size: d.sizeOf(Size) * places,
      usage: STORAGE | INDIRECT | COPY_SRC,
    });
  }

  /** Compiles the kernel, if nobody did before, and makes room for so many sizes. */
  static async create(device: Device, places = 1): Promise<IndirectSizes> {
    return new IndirectSizes(device, await compileKernel(device, indirectSizeSource), places);
  }

  /** The size at a place, for `Recorder.run`. */
  at(place: number): { indirect: IndirectSize } {
    return { indirect: { buffer: this.buffer, offset: d.sizeOf(Size) * place } };
  }

  /** Records that a count becomes a size; what it returns is for `Recorder.run`. Any number of threads below 2^32. */
  record(recorder: Recorder, count: BufferCount, threads: CountedThreads): { indirect: IndirectSize } {
    const { place, most, threadsPerItem = 1, itemsPerThread = 1 } = threads;
    const size = this.at(place);
    if (threads.isKept) return size;
    // Refuses what could become too many threads.
    dispatchSize(Math.ceil((most * threadsPerItem) / itemsPerThread / GROUP));
    const { counts, countAt } = countWindow(this.#device, count);
    const bound = bind(this.#device, this.#kernel, { counts, sizes: this.buffer });
    const mostGroups = this.#device.limits.maxComputeWorkgroupsPerDimension;
    recorder.run(bound, {
      groups: 1,
      params: {
        countAt,
        sizeAt: place,
        most,
        threadsPerItem,
        itemsPerThread,
        mostGroups,
        allGroups: 2 ** 32 / GROUP,
      },
    });
    return size;
  }

  destroy(): void {
    this.buffer.destroy();
  }
}

/** A part of the count's buffer that may be bound, however large the buffer is, and the word of the count in it. */
export function countWindow(
  device: Device,
  { buffer, offset = 0 }: BufferCount,
): { counts: GPUBufferBinding; countAt: number } {
  const alignment = device.limits.minStorageBufferOffsetAlignment;
  const start = offset - (offset % alignment);
  // Whole words: a buffer may end within one.
  const size = Math.min(alignment, WORD * Math.floor((buffer.size - start) / WORD));
  return { counts: { buffer, offset: start, size }, countAt: (offset - start) / WORD };
}
