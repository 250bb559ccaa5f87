/** Copies of bodies where space repeats, placed by kernels in each step. docs/dem.md, "Space that repeats". */
import * as d from 'typegpu/data';
import { ContactBody } from '../../broadphase/broad-phase-layout.ts';
import { bind } from '../../gpu/bind.ts';
import { type BufferPool, writeBuffer } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { compileKernels, type KernelsOf } from '../../gpu/kernel.ts';
import type { Recorder } from '../../gpu/recorder.ts';
import { WORD } from '../../gpu/words.ts';
import type { RepeatedSpace } from '../scene/repeated-space.ts';
import { cellsOf } from './pack.ts';
import { checkCopiesSource, placeCopiesSource } from './step-kernels.ts';
import { CopyConstants, CopyPlace, NO_BODY } from './step-layout.ts';

const PLACE = d.sizeOf(CopyPlace);
const STATUS_AT = d.memoryLayoutOf(CopyPlace, (place) => place.status).offset / WORD;
/** Above what comparisons are off by in float32: fewer than 8 roundings of 2^-23. */
const SLACK = 2 ** -20;

export interface CopiesOptions {
  readonly space: RepeatedSpace;
  /** Bodies. */
  readonly count: number;
  /** Edge of the cells of positions. */
  readonly cell: number;
  /** Of the contact pipeline's list of pairs, a length. */
  readonly margin: number;
}

/** Fields of `StepControl` that say how space repeats. */
export function repetitionOf(space: RepeatedSpace | undefined, cell: number) {
  const lengths = alongAxes(space, (j) => space!.lengths[j]! / cell);
  const { whole, fraction } = cellsOf(lengths);
  return {
    repeats: (space?.axes ?? []).reduce((bits, axis) => bits | (1 << axis), 0),
    lengthCell: d.vec3i(...whole),
    lengthFraction: d.vec3u(...fraction),
  };
}

const KERNELS = { check: checkCopiesSource, place: placeCopiesSource };

export class DeviceCopies {
  /** `ContactBody` of each copy: those of a body follow each other. */
  readonly bodies: GPUBuffer;
  /** `CopyPlace`, both halves. */
  readonly places: GPUBuffer;
  readonly #device: Device;
  readonly #count: number;
  readonly #kernels: KernelsOf<typeof KERNELS>;
  readonly #sizes: GPUBuffer;
  readonly #isStale: GPUBuffer;
  readonly #check: { readonly most: number };
  readonly #place: { readonly lowCell: d.v3i; readonly lowFraction: d.v3u; readonly reach: d.v3f };

  private constructor(
    device: Device,
    pool: BufferPool,
    kernels: KernelsOf<typeof KERNELS>,
    { space, count, cell, margin }: CopiesOptions,
  ) {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    this.#device = device;
    this.#count = count;
    this.#kernels = kernels;
    this.bodies = pool.reserve('copies', d.sizeOf(ContactBody) * space.copies * count, STORAGE | COPY_SRC);
    this.places = pool.reserve('copies: places', 2 * PLACE * count, STORAGE | COPY_SRC | COPY_DST);
    this.#sizes = pool.upload('copies: sizes', packSizes(space, count, cell));
    this.#isStale = pool.reserve('copies: anew', WORD, STORAGE | COPY_DST);
    this.#check = { most: (margin / 2 / cell) * (1 - SLACK) };
    const low = cellsOf(alongAxes(space, (j) => space.lows[j]! / cell));
    const reach = alongAxes(space, (j) => ((space.largest[j]! + margin) / cell) * (1 + SLACK));
    this.#place = {
      lowCell: d.vec3i(...low.whole),
      lowFraction: d.vec3u(...low.fraction),
      reach: d.vec3f(...reach),
    };
  }

  static async create(device: Device, pool: BufferPool, options: CopiesOptions): Promise<DeviceCopies> {
    const kernels = await compileKernels(device, KERNELS);
    return device.checked('making room for copies', () => new DeviceCopies(device, pool, kernels, options));
  }

  /** Bytes of `places` that are one half. */
  get placeBytes(): number {
    return PLACE * this.#count;
  }

  /** Bodies were put anywhere: copies are decided on anew. */
  forget(): void {
    const words = new Uint32Array((2 * this.placeBytes) / WORD);
    for (let at = STATUS_AT; at < words.length; at += PLACE / WORD) words[at] = NO_BODY;
    writeBuffer(this.#device, this.places, words);
  }

  /** @param words a half of `places`, which is put into both */
  restore(words: Uint32Array<ArrayBuffer>): void {
    for (const half of [0, 1]) writeBuffer(this.#device, this.places, words, half * this.placeBytes);
  }

  /** @param inputs as `DeviceSteps` has them */
  record(
    recorder: Recorder,
    { control, state, bodies }: Record<'control' | 'state' | 'bodies', GPUBuffer>,
  ): void {
    const { places, bodies: copies } = this;
    const device = this.#device;
    const { check, place } = this.#kernels;
    const [sizes, isStale] = [this.#sizes, this.#isStale];
    const perBody = { threads: this.#count };
    recorder.clear(isStale);
    recorder.run(bind(device, check, { control, state, places, isStale }), {
      ...{ ...perBody, params: this.#check },
    });
    recorder.run(bind(device, place, { control, sizes, state, bodies, places, isStale, copies }), {
      ...{ ...perBody, params: this.#place },
    });
  }
}

/** A number per axis, 0 along those that do not repeat. */
function alongAxes(
  space: RepeatedSpace | undefined,
  numberOf: (j: number) => number,
): [number, number, number] {
  const out: [number, number, number] = [0, 0, 0];
  space?.axes.forEach((axis, j) => {
    out[axis] = numberOf(j);
  });
  return out;
}

/** `CopyConstants` of each body. */
function packSizes({ radii, walls, axes }: RepeatedSpace, count: number, cell: number) {
  const words = new Uint32Array((d.sizeOf(CopyConstants) / WORD) * count);
  const floats = new Float32Array(words.buffer);
  for (let body = 0; body < count; body++) {
    floats[2 * body] = (radii[body]! / cell) * (1 + SLACK);
    axes.forEach((axis, j) => {
      words[2 * body + 1]! |= ((walls[body]! >> j) & 1) << axis;
    });
  }
  return words;
}
