/**
 * Sums of float32 by segment, in one fixed order: the same on every adapter and in every form, whatever stands before a
 * segment. `shaders/common/lane-sum.wgsl` has the order: 32 lanes, then a tree. Segments of more than 1,024 values are
 * cut into ranges of that many, and the ranges' sums are added in the same way.
 *
 * WGSL leaves the rounding of a sum open by 2^-23. So bits are the same on adapters that round alike; docs/float32.md.
 */
import tgpu from 'typegpu';
import * as d from 'typegpu/data';
import countRangesWgsl from '../../../shaders/gpu/count-ranges.wgsl';
import serialRangesWgsl from '../../../shaders/gpu/serial/sum-ranges.wgsl';
import serialSegmentsWgsl from '../../../shaders/gpu/serial/sum-segments.wgsl';
import rangesWgsl from '../../../shaders/gpu/workgroup/sum-ranges.wgsl';
import segmentsWgsl from '../../../shaders/gpu/workgroup/sum-segments.wgsl';
import { bind } from '../bind.ts';
import { BufferPool } from '../buffers.ts';
import type { Device } from '../device.ts';
import { GROUP } from '../dispatch.ts';
import { IndirectSizes } from '../indirect.ts';
import { compileKernels, kernelSource } from '../kernel.ts';
import { owned } from '../owned.ts';
import type { Extent, Recorder } from '../recorder.ts';
import { type Form, formOf, sourcesOf } from './form.ts';
import { countBinding, countOf, countParams, type ItemCount } from './item-count.ts';
import { createScan } from './scan.ts';

/** Values that are added in one go, `RANGE` in the WGSL. */
const RANGE = 1024;
/** Threads per segment or range where they share memory, `LANES` in the WGSL. */
const LANES = 32;

const RangeParams = d
  .struct({
    ...countParams,
    /** Segments that there is room for. */
    room: d.u32,
  })
  .$name('RangeParams');
const SumParams = d
  .struct({
    ...countParams,
    /** Floats per value. */
    components: d.u32,
  })
  .$name('SumParams');

const words = d.arrayOf(d.u32);
const floats = d.arrayOf(d.f32);

const countRangesLayout = tgpu
  .bindGroupLayout({
    params: { uniform: RangeParams },
    ...countBinding,
    /** Per segment its first value; behind them where the last one ends. */
    starts: { storage: words },
    /** Per segment the number of its ranges. */
    rangeStarts: { storage: words, access: 'mutable' },
  })
  .$idx(0)
  .$name('countRangesLayout');

const sumRangesLayout = tgpu
  .bindGroupLayout({
    params: { uniform: SumParams },
    ...countBinding,
    starts: { storage: words },
    /** Per segment its first range; behind them how many there are. */
    rangeStarts: { storage: words },
    values: { storage: floats },
    /** Per range its sum. */
    sums: { storage: floats, access: 'mutable' },
  })
  .$idx(0)
  .$name('sumRangesLayout');

const sumSegmentsLayout = tgpu
  .bindGroupLayout({
    params: { uniform: SumParams },
    ...countBinding,
    starts: { storage: words },
    values: { storage: floats },
    /** Per segment its sum. */
    sums: { storage: floats, access: 'mutable' },
  })
  .$idx(0)
  .$name('sumSegmentsLayout');

export const countRangesSource = kernelSource(countRangesWgsl, countRangesLayout);
export const sumRangesSources = sourcesOf(
  { serial: serialRangesWgsl, workgroup: rangesWgsl },
  sumRangesLayout,
);
export const sumSegmentsSources = sourcesOf(
  { serial: serialSegmentsWgsl, workgroup: segmentsWgsl },
  sumSegmentsLayout,
);

export interface SegmentSumsOptions {
  /** Most segments, and most values in all, that there will ever be: room is made for so many. */
  readonly mostSegments: number;
  readonly mostValues: number;
  /** Most values of one segment; default `mostValues`. Up to 1,024 the sums take a single dispatch. */
  readonly longest?: number;
  /** Floats per value, each summed up by itself; default 1. */
  readonly components?: number;
  /** Instead of the form that suits the device. */
  readonly form?: Form | undefined;
}

export interface SegmentSumsInput {
  /** `components` floats per value. */
  readonly values: GPUBuffer;
  /** Per segment its first value, and behind the last segment where that ends: one more than segments. */
  readonly starts: GPUBuffer;
  /** Number of segments. */
  readonly count: ItemCount;
  /** Gets `components` floats per segment; 0 where a segment is empty. */
  readonly sums: GPUBuffer;
}

/** Sums by segment, with room for a number of segments and values. */
export interface SegmentSums {
  record(recorder: Recorder, input: SegmentSumsInput): void;
  destroy(): void;
}

/** Values and segments at one level: the caller's, then ranges of them, ranges of ranges, ... */
interface Level {
  readonly values: GPUBuffer;
  readonly starts: GPUBuffer;
}

/** Compiles the kernels of sums, if nobody did before, and makes room for the sums of ranges. */
export function createSegmentSums(
  device: Device,
  {
    mostSegments,
    mostValues,
    longest = mostValues,
    components = 1,
    form = formOf(device),
  }: SegmentSumsOptions,
): Promise<SegmentSums> {
  return owned(async (owner) => {
    const pool = owner.keep(new BufferPool(device));
    const levels: { level: Level; mostRanges: number }[] = [];
    let mostRanges = mostValues;
    for (let length = longest; length > RANGE; length = Math.ceil(length / RANGE)) {
      mostRanges = Math.min(mostRanges, mostSegments + Math.floor(mostRanges / RANGE));
      const depth = levels.length;
      const { STORAGE } = GPUBufferUsage;
      const starts = pool.reserve(
        `ranges of segments ${depth}`,
        d.sizeOf(d.u32) * (mostSegments + 1),
        STORAGE,
      );
      const bytes = d.sizeOf(d.f32) * components * mostRanges;
      const values = pool.reserve(`sums of ranges ${depth}`, bytes, STORAGE);
      levels.push({ level: { values, starts }, mostRanges });
    }
    const kernels = await compileKernels(device, {
      segments: sumSegmentsSources[form],
      ...{ ranges: sumRangesSources[form], count: countRangesSource },
    });
    const scan = owner.keep(await createScan(device, { most: mostSegments + 1, form }));
    const sizes = owner.keep(await IndirectSizes.create(device));
    const lanes = form === 'serial' ? 1 : LANES;
    const extentFor = (items: number): Extent => ({ groups: Math.ceil((items * lanes) / GROUP) });
    return {
      record(recorder, { values, starts, count, sums }) {
        const { counted, ...known } = countOf(device, count, mostSegments);
        const params = { ...known, chunks: 1, components };
        let from: Level = { values, starts };
        for (const { level, mostRanges } of levels) {
          const rangeStarts = level.starts;
          recorder.run(bind(device, kernels.count, { counted, starts: from.starts, rangeStarts }), {
            threads: mostSegments + 1,
            params: { ...known, chunks: 1, room: mostSegments },
          });
          scan.record(recorder, { numbers: rangeStarts, count: mostSegments + 1 });
          recorder.run(bind(device, kernels.ranges, { counted, ...from, rangeStarts, sums: level.values }), {
            ...extentFor(mostRanges),
            params,
          });
          from = level;
        }
        const extent =
          typeof count === 'number'
            ? extentFor(count)
            : sizes.record(recorder, count, { place: 0, most: mostSegments, threadsPerItem: lanes });
        recorder.run(bind(device, kernels.segments, { counted, ...from, sums }), { ...extent, params });
      },
      destroy: () => owner.destroy(),
    };
  });
}
