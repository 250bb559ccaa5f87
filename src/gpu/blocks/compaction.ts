/** Compaction: the numbers of the items whose flags are set, in order. Flags are counted by chunks, as in scan.ts. */
import * as d from 'typegpu/data';
import serialCountWgsl from '../../../shaders/gpu/serial/count-flags.wgsl';
import serialListWgsl from '../../../shaders/gpu/serial/list-flags.wgsl';
import countWgsl from '../../../shaders/gpu/workgroup/count-flags.wgsl';
import listWgsl from '../../../shaders/gpu/workgroup/list-flags.wgsl';
import { bind } from '../bind.ts';
import { BufferPool } from '../buffers.ts';
import type { Device } from '../device.ts';
import { compileKernels } from '../kernel.ts';
import { owned } from '../owned.ts';
import type { Recorder } from '../recorder.ts';
import { struct } from '../struct.ts';
import { chunksFor, extentOf, formOf, sourcesOf } from './form.ts';
import { countBinding, countOf, countParams, type ItemCount } from './item-count.ts';
import type { BlockOptions } from './scan.ts';

const FlagParams = struct('FlagParams', {
  ...countParams,
  /** Bits per flag: a power of two. */
  flagBits: d.u32,
  /** Bits of a flag that count. */
  mask: d.u32,
  /** Numbers that the list has room for. */
  room: d.u32,
});

const words = d.arrayOf(d.u32);

export const countFlagsSources = sourcesOf(
  { serial: serialCountWgsl, workgroup: countWgsl },
  {
    params: { uniform: FlagParams },
    ...countBinding,
    flags: { storage: words },
    /** Per chunk how many flags are set. */
    sums: { storage: words, access: 'mutable' },
  },
);
export const listFlagsSources = sourcesOf(
  { serial: serialListWgsl, workgroup: listWgsl },
  {
    params: { uniform: FlagParams },
    ...countBinding,
    flags: { storage: words },
    sums: { storage: words },
    /** How many flags are set; then the numbers of their items. */
    list: { storage: words, access: 'mutable' },
  },
);

export interface CompactionInput {
  readonly flags: GPUBuffer;
  readonly count: ItemCount;
  /** Gets how many flags are set, then the numbers of their items, as far as there is room. */
  readonly list: GPUBuffer;
  /** Bits per flag: 1, 2, 4, 8, 16 or 32 (default), the first item in the lowest. */
  readonly flagBits?: number;
  /** Bits of a flag of which one has to be set; default: any. */
  readonly mask?: number;
}

/** A compaction, with room for a number of items. */
export interface Compaction {
  record(recorder: Recorder, input: CompactionInput): void;
  destroy(): void;
}

/** Compiles the kernels of a compaction, if nobody did before, and makes room for the sums of chunks. */
export function createCompaction(
  device: Device,
  { most, form = formOf(device) }: BlockOptions,
): Promise<Compaction> {
  return owned(async (owner) => {
    const pool = owner.keep(new BufferPool(device));
    const chunks = chunksFor(form, most);
    const sums = pool.reserve('flags of chunks', d.sizeOf(d.u32) * chunks, GPUBufferUsage.STORAGE);
    const kernels = await compileKernels(device, {
      count: countFlagsSources[form],
      list: listFlagsSources[form],
    });
    return {
      record(recorder, { flags, count, list, flagBits = 32, mask = 2 ** flagBits - 1 }) {
        const { counted, ...known } = countOf(device, count, most);
        const params = { ...known, chunks, flagBits, mask, room: list.size / d.sizeOf(d.u32) - 1 };
        const run = { ...extentOf(form, chunks), params };
        if (chunks > 1) recorder.run(bind(device, kernels.count, { counted, flags, sums }), run);
        recorder.run(bind(device, kernels.list, { counted, flags, sums, list }), run);
      },
      destroy: () => owner.destroy(),
    };
  });
}
