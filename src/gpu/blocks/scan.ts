/**
 * Exclusive scan of u32: every number becomes the sum of those before it, modulo 2^32.
 *
 * Reduce, then scan (Blelloch 1990). Numbers are cut into at most 1,024 chunks (`chunksFor`). One thread or workgroup
 * scans the sums of the chunks. Then each chunk is scanned, starting from its own sum. So three dispatches do for any
 * count, and their sizes do not depend on it.
 */
import tgpu from 'typegpu';
import * as d from 'typegpu/data';
import serialChunksWgsl from '../../../shaders/gpu/serial/scan-chunks.wgsl';
import serialOffsetsWgsl from '../../../shaders/gpu/serial/scan-offsets.wgsl';
import serialSumsWgsl from '../../../shaders/gpu/serial/scan-sums.wgsl';
import chunksWgsl from '../../../shaders/gpu/workgroup/scan-chunks.wgsl';
import offsetsWgsl from '../../../shaders/gpu/workgroup/scan-offsets.wgsl';
import sumsWgsl from '../../../shaders/gpu/workgroup/scan-sums.wgsl';
import { bind } from '../bind.ts';
import { BufferPool } from '../buffers.ts';
import type { Device } from '../device.ts';
import type { BufferCount } from '../indirect.ts';
import { compileKernel } from '../kernel.ts';
import type { Recorder } from '../recorder.ts';
import { WORD } from '../words.ts';
import { chunksFor, extentOf, type Form, formOf, sourcesOf } from './form.ts';
import { countBinding, countOf, countParams, type ItemCount } from './item-count.ts';

const ScanParams = d.struct(countParams).$name('ScanParams');
const ChunkParams = d.struct({ chunks: d.u32 }).$name('ChunkParams');

const words = d.arrayOf(d.u32);

const scanSumsLayout = tgpu
  .bindGroupLayout({
    params: { uniform: ScanParams },
    ...countBinding,
    numbers: { storage: words },
    /** Per chunk its sum. */
    sums: { storage: words, access: 'mutable' },
  })
  .$idx(0)
  .$name('scanSumsLayout');

const scanChunksLayout = tgpu
  .bindGroupLayout({
    params: { uniform: ChunkParams },
    /** Sums of chunks, which become those of the chunks before; behind them the sum of all. */
    sums: { storage: words, access: 'mutable' },
  })
  .$idx(0)
  .$name('scanChunksLayout');

const scanOffsetsLayout = tgpu
  .bindGroupLayout({
    params: { uniform: ScanParams },
    ...countBinding,
    numbers: { storage: words, access: 'mutable' },
    sums: { storage: words },
  })
  .$idx(0)
  .$name('scanOffsetsLayout');

export const scanSumsSources = sourcesOf({ serial: serialSumsWgsl, workgroup: sumsWgsl }, scanSumsLayout);
export const scanChunksSources = sourcesOf(
  { serial: serialChunksWgsl, workgroup: chunksWgsl },
  scanChunksLayout,
);
export const scanOffsetsSources = sourcesOf(
  { serial: serialOffsetsWgsl, workgroup: offsetsWgsl },
  scanOffsetsLayout,
);

/** What building blocks have in common. */
export interface BlockOptions {
  /** Most items that there will ever be: room is made for so many. */
  readonly most: number;
  /** Instead of the form that suits the device. */
  readonly form?: Form | undefined;
}

/** Sums of chunks, and the kernel that scans them: the middle of a scan and of a compaction. */
export interface ChunkSums {
  readonly chunks: number;
  /** A word per chunk, and one for the sum of all. */
  readonly buffer: GPUBuffer;
  /** Records that the sum of every chunk becomes that of the chunks before it. */
  record(recorder: Recorder): void;
}

export async function createChunkSums(
  device: Device,
  pool: BufferPool,
  form: Form,
  items: number,
): Promise<ChunkSums> {
  const kernel = await compileKernel(device, scanChunksSources[form]);
  const chunks = chunksFor(form, items);
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  const buffer = pool.reserve('sums of chunks', WORD * (chunks + 1), usage);
  return {
    chunks,
    buffer,
    record(recorder) {
      const bound = bind(device, kernel, { sums: buffer });
      recorder.run(bound, { ...extentOf(form, 1), params: { chunks } });
    },
  };
}

/** What a scan works on: the first `count` of some u32, in place. */
export interface ScanInput {
  readonly numbers: GPUBuffer;
  readonly count: ItemCount;
}

/** An exclusive scan, with room for a number of items. */
export interface Scan {
  /** Where the sum of all numbers is, after a scan. */
  readonly total: Required<BufferCount>;
  record(recorder: Recorder, input: ScanInput): void;
  destroy(): void;
}

/** Compiles the kernels of a scan, if nobody did before, and makes room for the sums of chunks. */
export async function createScan(
  device: Device,
  { most, form = formOf(device) }: BlockOptions,
): Promise<Scan> {
  const pool = new BufferPool(device);
  try {
    const [sumsKernel, offsetsKernel, chunkSums] = await Promise.all([
      compileKernel(device, scanSumsSources[form]),
      compileKernel(device, scanOffsetsSources[form]),
      createChunkSums(device, pool, form, most),
    ]);
    const { chunks, buffer: sums } = chunkSums;
    const extent = extentOf(form, chunks);
    return {
      total: { buffer: sums, offset: WORD * chunks },
      record(recorder, { numbers, count }) {
        const { counted, ...known } = countOf(device, count, most);
        const params = { ...known, chunks };
        recorder.run(bind(device, sumsKernel, { counted, numbers, sums }), { ...extent, params });
        chunkSums.record(recorder);
        recorder.run(bind(device, offsetsKernel, { counted, numbers, sums }), { ...extent, params });
      },
      destroy: () => pool.destroy(),
    };
  } catch (error) {
    pool.destroy();
    throw error;
  }
}
