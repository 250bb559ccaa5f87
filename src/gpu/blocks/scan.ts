/**
 * Exclusive scan of u32: every number becomes the sum of those before it, modulo 2^32.
 *
 * Reduce, then scan (Blelloch 1990). Numbers are cut into at most 1,024 chunks (`chunksFor`), whose sums come first.
 * Then each chunk is scanned, from the sum of the chunks before it on. So two dispatches do for any count, one where
 * all is one chunk, and their sizes do not depend on the count.
 */
import * as d from 'typegpu/data';
import serialOffsetsWgsl from '../../../shaders/gpu/serial/scan-offsets.wgsl';
import serialSumsWgsl from '../../../shaders/gpu/serial/scan-sums.wgsl';
import offsetsWgsl from '../../../shaders/gpu/workgroup/scan-offsets.wgsl';
import sumsWgsl from '../../../shaders/gpu/workgroup/scan-sums.wgsl';
import { bind } from '../bind.ts';
import { BufferPool } from '../buffers.ts';
import type { Device } from '../device.ts';
import type { BufferCount } from '../indirect.ts';
import { type BufferPart, compileKernels } from '../kernel.ts';
import { owned } from '../owned.ts';
import type { Recorder } from '../recorder.ts';
import { struct } from '../struct.ts';
import { WORD } from '../words.ts';
import { chunksFor, extentOf, type Form, formOf, sourcesOf } from './form.ts';
import { countBinding, countOf, countParams, type ItemCount } from './item-count.ts';

const ScanParams = struct('ScanParams', countParams);

const words = d.arrayOf(d.u32);

export const scanSumsSources = sourcesOf(
  { serial: serialSumsWgsl, workgroup: sumsWgsl },
  {
    params: { uniform: ScanParams },
    ...countBinding,
    numbers: { storage: words },
    /** Per chunk its sum. */
    sums: { storage: words, access: 'mutable' },
  },
);
export const scanOffsetsSources = sourcesOf(
  { serial: serialOffsetsWgsl, workgroup: offsetsWgsl },
  {
    params: { uniform: ScanParams },
    ...countBinding,
    numbers: { storage: words, access: 'mutable' },
    /** Sums of chunks; gets that of all behind them. */
    sums: { storage: words, access: 'mutable' },
  },
);

/** What building blocks have in common. */
export interface BlockOptions {
  /** Most items that there will ever be: room is made for so many. */
  readonly most: number;
  /** Instead of the form that suits the device. */
  readonly form?: Form | undefined;
}

/** What a scan works on: the first `count` of some u32, in place. */
export interface ScanInput {
  readonly numbers: BufferPart;
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
export function createScan(device: Device, { most, form = formOf(device) }: BlockOptions): Promise<Scan> {
  return owned(async (owner) => {
    const pool = owner.keep(new BufferPool(device));
    const chunks = chunksFor(form, most);
    const sums = pool.reserve(
      'sums of chunks',
      WORD * (chunks + 1),
      GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
    );
    const kernels = await compileKernels(device, {
      sums: scanSumsSources[form],
      offsets: scanOffsetsSources[form],
    });
    return {
      total: { buffer: sums, offset: WORD * chunks },
      record(recorder, { numbers, count }) {
        const { counted, ...known } = countOf(device, count, most);
        const run = { ...extentOf(form, chunks), params: { ...known, chunks } };
        // Before a single chunk there is none.
        if (chunks > 1) recorder.run(bind(device, kernels.sums, { counted, numbers, sums }), run);
        recorder.run(bind(device, kernels.offsets, { counted, numbers, sums }), run);
      },
      destroy: () => owner.destroy(),
    };
  });
}
