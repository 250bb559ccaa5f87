/**
 * Rows of pairs on the GPU: each pair of colliders that may touch owns one as long as the list of pairs serves. They
 * are in the order of classes, then of pairs; pairs with planes come last. With the list is made which rows a body has,
 * so that what rows come to is summed up per body in one order. Nothing in it waits.
 */
import * as d from 'typegpu/data';
import { bind } from '../../gpu/bind.ts';
import { createRadixSort, type RadixSort } from '../../gpu/blocks/radix-sort.ts';
import { BufferPool, writeBuffer } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { GROUP } from '../../gpu/dispatch.ts';
import { compileKernels, type KernelsOf } from '../../gpu/kernel.ts';
import { type Owner, owned } from '../../gpu/owned.ts';
import type { Extent, Recorder } from '../../gpu/recorder.ts';
import { WORD } from '../../gpu/words.ts';
import type { Colliders } from '../bodies/colliders.ts';
import type { GpuPairLists, PairsOfClass } from './pair-lists.ts';
import {
  ROW_TABLE_WORDS,
  RowSize,
  RowTable,
  rowBodiesSource,
  rowRunsSource,
  rowTableSource,
} from './row-kernels.ts';

const CLASSES = ['polyhedra', 'patches', 'convex'] as const;
const KERNELS = { table: rowTableSource, bodies: rowBodiesSource, runs: rowRunsSource };

export interface PairRowsOptions {
  readonly lists: GpuPairLists;
  readonly colliders: Colliders;
  /** Bodies that rows are summed up for, and how many of the pipeline's bodies, in their order, are one of them. */
  readonly bodies: number;
  readonly copies: number;
  /** `PlanePair` each, all of them. */
  readonly planes: GPUBuffer | undefined;
  readonly planePairs: number;
  /** Room for pairs without planes. */
  readonly pairs: number;
}

/** Buffers and dispatches that kernels which sum up rows need. */
export interface RowsOnDevice {
  /** `RowTable` */
  readonly table: GPUBuffer;
  /** Twice the row, one more for its B, and bit 31 where a run begins; in the order of bodies. */
  readonly entries: GPUBuffer;
  /** First entry of each body; behind them the number of all. */
  readonly starts: GPUBuffer;
  /**
   * Threads over rows and over entries: as many as there is room for, and kernels see how many there are.
   * In each step an indirect dispatch would cost more than threads without work.
   */
  readonly perRow: Extent;
  readonly perEntry: Extent;
}

/** Rows that there is room for. */
export const roomForRows = ({ pairs, planePairs }: Pick<PairRowsOptions, 'pairs' | 'planePairs'>): number =>
  pairs + planePairs;

/** Partners of a run: as many as there are runs, so that both sums of a body that meets all others are as long. */
const partnerBitsFor = (bodies: number): number => Math.ceil(Math.log2(Math.max(1, bodies)) / 2);

type Buffers = ReturnType<typeof reserve>;

export class PairRows implements RowsOnDevice {
  readonly table: GPUBuffer;
  readonly entries: GPUBuffer;
  readonly starts: GPUBuffer;
  readonly #device: Device;
  readonly #options: PairRowsOptions;
  readonly #owner: Owner;
  readonly #pool: BufferPool;
  readonly #kernels: KernelsOf<typeof KERNELS>;
  readonly #sort: RadixSort;
  readonly #buffers: Buffers;

  private constructor(
    device: Device,
    options: PairRowsOptions,
    parts: {
      owner: Owner;
      pool: BufferPool;
      kernels: KernelsOf<typeof KERNELS>;
      sort: RadixSort;
      buffers: Buffers;
    },
  ) {
    this.#device = device;
    this.#options = options;
    this.#owner = parts.owner;
    this.#pool = parts.pool;
    this.#kernels = parts.kernels;
    this.#sort = parts.sort;
    this.#buffers = parts.buffers;
    this.table = parts.buffers.table;
    this.entries = parts.buffers.entries;
    this.starts = parts.buffers.starts;
  }

  static create(device: Device, options: PairRowsOptions): Promise<PairRows> {
    return owned(async (owner) => {
      const pool = owner.keep(new BufferPool(device));
      const kernels = await compileKernels(device, KERNELS);
      const bits = Math.max(1, 32 - Math.clz32(options.bodies - 1));
      const sort = owner.keep(await createRadixSort(device, { most: 2 * roomForRows(options), bits }));
      const buffers = await device.checked('making room for rows of pairs', () => reserve(pool, options));
      writeBuffer(
        device,
        buffers.identity,
        Uint32Array.from({ length: 2 * roomForRows(options) }, (_, i) => i),
      );
      return new PairRows(device, options, { owner, pool, kernels, sort, buffers });
    });
  }

  get bytes(): number {
    return this.#pool.bytes;
  }

  get perRow() {
    return { threads: roomForRows(this.#options) };
  }

  get perEntry() {
    return { threads: 2 * roomForRows(this.#options) };
  }

  /** Records that rows are made, where the list of pairs has just been. */
  record(recorder: Recorder): void {
    const { lists, bodies, planePairs, planes } = this.#options;
    const { table, sizes, none, bodyOfCollider, rowBodies, firsts, keys, order, identity, entries, starts } =
      this.#buffers;
    const device = this.#device;
    const kernels = this.#kernels;
    const classes = CLASSES.map((name): PairsOfClass | undefined => lists.classes[name]);
    const buffersOf = (of: (pairs: PairsOfClass) => GPUBuffer) => {
      const [polyhedra, patches, convex] = classes.map((pairs) => (pairs ? of(pairs) : none));
      return { polyhedra: polyhedra!, patches: patches!, convex: convex! };
    };
    const counts = buffersOf(({ count }) => count.buffer);
    recorder.run(bind(device, kernels.table, { header: lists.broadPhase.header, ...counts, table, sizes }), {
      groups: 1,
      params: {
        classes: classes.reduce((bits, pairs, k) => bits | (pairs ? 1 << k : 0), 0),
        ...{ planes: planePairs, bodies },
        mostGroups: device.limits.maxComputeWorkgroupsPerDimension,
        allGroups: 2 ** 32 / GROUP,
      },
    });
    const listed = { table, ...buffersOf(({ pairs }) => pairs), planes: planes ?? none };
    recorder.run(
      bind(device, kernels.bodies, { ...listed, bodyOfCollider, bodies: rowBodies, firsts }),
      this.#sizeAt(RowSize.freshRows),
    );
    recorder.copy(rowBodies, keys, keys.size);
    recorder.copy(identity, order, order.size);
    const count = { buffer: table, offset: WORD * RowTable.freshEntries };
    this.#sort.record(recorder, { keys, values: order, count });
    const ordered = { table, bodies: rowBodies, firsts, keys, order, entries, starts };
    recorder.run(bind(device, kernels.runs, ordered), {
      ...this.#sizeAt(RowSize.freshEntries),
      params: { bodies, partnerBits: partnerBitsFor(bodies) },
    });
  }

  destroy(): void {
    this.#owner.destroy();
  }

  #sizeAt(place: number) {
    return { indirect: { buffer: this.#buffers.sizes, offset: d.sizeOf(d.vec4u) * place } };
  }
}

function reserve(pool: BufferPool, options: PairRowsOptions) {
  const { colliders, bodies, copies } = options;
  const { STORAGE, COPY_SRC, COPY_DST, INDIRECT } = GPUBufferUsage;
  const entries = 2 * roomForRows(options);
  const words = (label: string, count: number, usage = 0) =>
    pool.reserve(`rows: ${label}`, WORD * count, STORAGE | usage);
  return {
    table: words('table', ROW_TABLE_WORDS, COPY_DST),
    sizes: words('sizes', 4 * Object.keys(RowSize).length, INDIRECT),
    // In place of pairs of a class that there is not: a number of 0, and a pair.
    none: words('none', 12),
    bodyOfCollider: pool.upload(
      'rows: bodies of colliders',
      Uint32Array.from(colliders.bodies, (body) => Math.floor(body / copies)),
    ),
    rowBodies: words('bodies', entries, COPY_SRC),
    firsts: words('colliders', entries / 2),
    // A sort copies them.
    keys: words('keys', entries, COPY_SRC | COPY_DST),
    order: words('order', entries, COPY_SRC | COPY_DST),
    identity: words('all entries', entries, COPY_SRC | COPY_DST),
    entries: words('entries', entries),
    starts: words('starts', bodies + 1),
  };
}
