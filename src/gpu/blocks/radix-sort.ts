/**
 * Stable sort of u32 keys with a u32 value each: radix sort from the lowest digit on (Satish, Harris and Garland 2009).
 * For each digit, it counts how often every value comes in each chunk and scans these counts. The scan says where keys
 * go.
 */
import tgpu from 'typegpu';
import * as d from 'typegpu/data';
import serialCountsWgsl from '../../../shaders/gpu/serial/digit-counts.wgsl';
import serialPlaceWgsl from '../../../shaders/gpu/serial/place-digits.wgsl';
import countsWgsl from '../../../shaders/gpu/workgroup/digit-counts.wgsl';
import placeWgsl from '../../../shaders/gpu/workgroup/place-digits.wgsl';
import { bind } from '../bind.ts';
import { BufferPool } from '../buffers.ts';
import type { Device } from '../device.ts';
import { compileKernels } from '../kernel.ts';
import { owned } from '../owned.ts';
import type { Recorder } from '../recorder.ts';
import { WORD } from '../words.ts';
import { chunksFor, extentOf, type Form, formOf, sourcesOf } from './form.ts';
import { countBinding, countOf, countParams, type ItemCount } from './item-count.ts';
import { type BlockOptions, createScan } from './scan.ts';

/**
 * Bits per digit; the WGSL has the number of digits' values, `DIGITS`. A single thread keeps 256 counters. The threads
 * of a workgroup share 16 in two vec4u.
 */
const DIGIT_BITS: Readonly<Record<Form, number>> = { serial: 8, workgroup: 4, subgroups: 4 };

const DigitParams = d
  .struct({
    ...countParams,
    /** Bits of the key below the digit. */
    shift: d.u32,
  })
  .$name('DigitParams');

const words = d.arrayOf(d.u32);

const digitCountsLayout = tgpu
  .bindGroupLayout({
    params: { uniform: DigitParams },
    ...countBinding,
    keys: { storage: words },
    /** Per digit and chunk, chunks side by side, how many keys have it. */
    counts: { storage: words, access: 'mutable' },
  })
  .$idx(0)
  .$name('digitCountsLayout');

const placeDigitsLayout = tgpu
  .bindGroupLayout({
    params: { uniform: DigitParams },
    ...countBinding,
    keys: { storage: words },
    values: { storage: words },
    /** Per digit and chunk where the first such key goes. */
    counts: { storage: words },
    sortedKeys: { storage: words, access: 'mutable' },
    sortedValues: { storage: words, access: 'mutable' },
  })
  .$idx(0)
  .$name('placeDigitsLayout');

export const digitCountsSources = sourcesOf(
  { serial: serialCountsWgsl, workgroup: countsWgsl },
  digitCountsLayout,
);
export const placeDigitsSources = sourcesOf(
  { serial: serialPlaceWgsl, workgroup: placeWgsl },
  placeDigitsLayout,
);

export interface RadixSortOptions extends BlockOptions {
  /** Bits of a key that differ, from the lowest on; default 32. Fewer are sorted faster. */
  readonly bits?: number;
}

/** Keys and values, sorted in place; both with room for `most`, and usable as storage and copied from. */
export interface RadixSortInput {
  readonly keys: GPUBuffer;
  readonly values: GPUBuffer;
  readonly count: ItemCount;
}

/** A stable sort, with room for a number of items. */
export interface RadixSort {
  record(recorder: Recorder, input: RadixSortInput): void;
  destroy(): void;
}

/** Compiles the kernels of a sort, if nobody did before, and makes room for a second set of keys and values. */
export function createRadixSort(
  device: Device,
  { most, bits = 32, form = formOf(device) }: RadixSortOptions,
): Promise<RadixSort> {
  const digits = 2 ** DIGIT_BITS[form];
  const chunks = chunksFor(form, most);
  return owned(async (owner) => {
    const pool = owner.keep(new BufferPool(device));
    const { STORAGE, COPY_DST } = GPUBufferUsage;
    const counts = pool.reserve('numbers of digits', WORD * digits * chunks, STORAGE);
    const otherKeys = pool.reserve('keys on their way', WORD * most, STORAGE | COPY_DST);
    const otherValues = pool.reserve('values on their way', WORD * most, STORAGE | COPY_DST);
    const kernels = await compileKernels(device, {
      count: digitCountsSources[form],
      place: placeDigitsSources[form],
    });
    const scan = owner.keep(await createScan(device, { most: digits * chunks, form }));
    const extent = extentOf(form, chunks);
    return {
      record(recorder, { keys, values, count }) {
        const { counted, ...known } = countOf(device, count, most);
        let from = { keys, values };
        let to = { keys: otherKeys, values: otherValues };
        if (Math.ceil(bits / DIGIT_BITS[form]) % 2 === 1) {
          // The last digit has to end in the caller's buffers.
          recorder.copy(keys, otherKeys, WORD * known.most);
          recorder.copy(values, otherValues, WORD * known.most);
          [from, to] = [to, from];
        }
        for (let shift = 0; shift < bits; shift += DIGIT_BITS[form]) {
          const params = { ...known, chunks, shift };
          recorder.run(bind(device, kernels.count, { counted, keys: from.keys, counts }), {
            ...extent,
            params,
          });
          scan.record(recorder, { numbers: counts, count: digits * chunks });
          const sorted = { sortedKeys: to.keys, sortedValues: to.values };
          recorder.run(bind(device, kernels.place, { counted, ...from, counts, ...sorted }), {
            ...extent,
            params,
          });
          [from, to] = [to, from];
        }
      },
      destroy: () => owner.destroy(),
    };
  });
}
