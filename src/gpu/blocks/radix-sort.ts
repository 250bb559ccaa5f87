/**
 * Stable sort of u32 keys with a u32 value each: radix sort from the lowest digit on (Satish, Harris and Garland 2009).
 * For each digit it is known how often every value comes in each chunk. A scan of these counts says where keys go. The
 * first digit is counted by itself; where keys have been placed by a digit, the next one has been counted, too: in any
 * order, as counts are sums.
 */
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
import { struct } from '../struct.ts';
import { WORD } from '../words.ts';
import { chunksFor, extentOf, type Form, formOf, sourcesOf } from './form.ts';
import { countBinding, countOf, countParams, type ItemCount } from './item-count.ts';
import { type BlockOptions, createScan } from './scan.ts';

/**
 * Bits per digit; the WGSL has the number of digits' values, `DIGITS`. A single thread keeps 256 counters. The threads
 * of a workgroup share 16 in two vec4u.
 */
const DIGIT_BITS: Readonly<Record<Form, number>> = { serial: 8, workgroup: 4, subgroups: 4 };

const DigitParams = struct('DigitParams', {
  ...countParams,
  /** Bits of the key below the digit, and below the next one. */
  shift: d.u32,
  nextShift: d.u32,
  /** 0: there is none. */
  hasNext: d.u32,
});

const words = d.arrayOf(d.u32);

export const digitCountsSources = sourcesOf(
  { serial: serialCountsWgsl, workgroup: countsWgsl },
  {
    params: { uniform: DigitParams },
    ...countBinding,
    keys: { storage: words },
    /** Per digit and chunk, chunks side by side, how many keys have it. */
    counts: { storage: words, access: 'mutable' },
  },
);
export const placeDigitsSources = sourcesOf(
  { serial: serialPlaceWgsl, workgroup: placeWgsl },
  {
    params: { uniform: DigitParams },
    ...countBinding,
    keys: { storage: words },
    values: { storage: words },
    /** Per digit and chunk where the first such key goes. Another part of its buffer is written. */
    counts: { storage: words, access: 'mutable' },
    /** The numbers of the next digit, 0 at first. */
    nextCounts: { storage: d.arrayOf(d.atomic(d.u32)), access: 'mutable' },
    sortedKeys: { storage: words, access: 'mutable' },
    sortedValues: { storage: words, access: 'mutable' },
  },
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
  const digitBits = DIGIT_BITS[form];
  const digits = 2 ** digitBits;
  const chunks = chunksFor(form, most);
  const rounds = Math.ceil(bits / digitBits);
  return owned(async (owner) => {
    const pool = owner.keep(new BufferPool(device));
    const { STORAGE, COPY_DST } = GPUBufferUsage;
    // A part for each digit, and one that the last one does not write.
    const alignment = device.limits.minStorageBufferOffsetAlignment;
    const size = WORD * digits * chunks;
    const apart = Math.ceil(size / alignment) * alignment;
    const allCounts = pool.reserve('numbers of digits', apart * (rounds + 1), STORAGE | COPY_DST);
    const countsOf = (round: number) => ({ buffer: allCounts, offset: apart * round, size });
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
        if (rounds % 2 === 1) {
          // The last digit has to end in the caller's buffers.
          recorder.copy(keys, otherKeys, WORD * known.most);
          recorder.copy(values, otherValues, WORD * known.most);
          [from, to] = [to, from];
        }
        recorder.clear(allCounts);
        for (let round = 0; round < rounds; round++) {
          const counts = countsOf(round);
          const shift = digitBits * round;
          const hasNext = round + 1 < rounds ? 1 : 0;
          const params = { ...known, chunks, shift, nextShift: hasNext * (shift + digitBits), hasNext };
          const run = { ...extent, params };
          if (round === 0)
            recorder.run(bind(device, kernels.count, { counted, keys: from.keys, counts }), run);
          scan.record(recorder, { numbers: counts, count: digits * chunks });
          const sorted = { sortedKeys: to.keys, sortedValues: to.values, nextCounts: countsOf(round + 1) };
          recorder.run(bind(device, kernels.place, { counted, ...from, counts, ...sorted }), run);
          [from, to] = [to, from];
        }
      },
      destroy: () => owner.destroy(),
    };
  });
}
