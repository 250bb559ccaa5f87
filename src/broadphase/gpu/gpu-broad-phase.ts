/**
 * The broad phase on the GPU: the same sorted list of pairs as on the CPU, for the same boxes. Nothing in it waits. As
 * long as nothing has moved by half the margin, the list before serves, and kernels have nothing to do.
 */
import * as d from 'typegpu/data';
import { bind } from '../../gpu/bind.ts';
import { createRadixSort, type RadixSort } from '../../gpu/blocks/radix-sort.ts';
import { BufferPool, writeBuffer } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { GROUP } from '../../gpu/dispatch.ts';
import { compileKernels, type KernelsOf } from '../../gpu/kernel.ts';
import { type Owner, owned } from '../../gpu/owned.ts';
import type { Recorder } from '../../gpu/recorder.ts';
import { WORD } from '../../gpu/words.ts';
import {
  ContactBody,
  EntryBox,
  HEADER_WORDS,
  HeaderWord,
  LEVEL_WORDS,
  RowBox,
} from '../broad-phase-layout.ts';
import { QUANTA_PER_CELL } from '../constants.ts';
import { type Entries, type EntryPlaces, reachesOf } from '../entries.ts';
import * as sources from './broad-phase-kernels.ts';
import { packFilters, packPlaces } from './tables.ts';

/** Float32 numbers of a product by this factor are not above the exact number. */
const DOWNWARDS = 1 - 2 ** -22;

/** Places of indirect sizes, as sizes.wgsl has them: pairs of a list that is new, all pairs. */
const Size = { freshPairs: 0, allPairs: 1 } as const;
/** Bits of a box's cell in a bucket, where keys have as many: cells of a row that lie together are far apart then. */
const CELL_BITS = 12;
const KEY_BITS = 32;

export interface GpuBroadPhaseOptions {
  readonly entries: Entries;
  readonly places: EntryPlaces;
  readonly bodyCount: number;
  /** Edge of a cell, a length: a power of two. */
  readonly cell: number;
  /** Boxes grow by half of it on each side, a length. A list serves until some point has moved by as much. */
  readonly margin: number;
  /** Pairs that there is room for at first. */
  readonly capacity: number;
  /** `[entries]`: what entries are called in the list, in ascending order. Default: their numbers. */
  readonly names?: Uint32Array | undefined;
}

const KERNELS = {
  ...{ largestMove: sources.largestMoveSource, beginList: sources.beginListSource },
  ...{ entryBoxes: sources.entryBoxesSource, measureBoxes: sources.measureBoxesSource },
  ...{ bucketKeys: sources.bucketKeysSource, fillRows: sources.fillRowsSource },
  ...{ findPartners: sources.findPartnersSource, endList: sources.endListSource },
  joinPairs: sources.joinPairsSource,
};
type Kernels = KernelsOf<typeof KERNELS>;
type Buffers = ReturnType<typeof reserveBuffers>;

/** What has as much room as the list. */
interface PairRoom {
  readonly owner: Owner;
  readonly bytes: number;
  readonly capacity: number;
  readonly lowWords: GPUBuffer;
  readonly highWords: GPUBuffer;
  readonly pairs: GPUBuffer;
  /** Of the lowest 32 bits, then of the others, where pairs have more. */
  readonly sorts: readonly RadixSort[];
}

/** What does not depend on the number of pairs. */
interface Parts {
  readonly owner: Owner;
  readonly kernels: Kernels;
  readonly pool: BufferPool;
  readonly buffers: Buffers;
  readonly byKey: RadixSort;
}

export class GpuBroadPhase {
  readonly #device: Device;
  readonly #options: GpuBroadPhaseOptions;
  readonly #parts: Parts;
  #room: PairRoom;

  private constructor(device: Device, options: GpuBroadPhaseOptions, parts: Parts, room: PairRoom) {
    this.#device = device;
    this.#options = options;
    this.#parts = parts;
    this.#room = room;
  }

  /**
   * Compiles the kernels, if nobody did before, and makes room.
   *
   * @throws DeviceError `limits` if the device does not allow a buffer of the size
   */
  static create(device: Device, options: GpuBroadPhaseOptions): Promise<GpuBroadPhase> {
    const { count } = options.entries;
    return owned(async (owner) => {
      const pool = owner.keep(new BufferPool(device));
      const buffers = reserveBuffers(device, pool, options);
      const kernels = await compileKernels(device, KERNELS);
      const bits = bucketBitsFor(count) + cellBitsFor(count);
      const byKey = owner.keep(await createRadixSort(device, { most: count, bits }));
      const room = await makeRoom(device, count, options.capacity);
      return new GpuBroadPhase(device, options, { owner, kernels, pool, buffers, byKey }, room);
    });
  }

  /** `HeaderWord` says what its words are. With the usages STORAGE and COPY_SRC. */
  get header(): GPUBuffer {
    return this.#parts.buffers.header;
  }

  /** Sizes of dispatches: the last word of each is the number of items. */
  get sizes(): GPUBuffer {
    return this.#parts.buffers.sizes;
  }

  /** Over the pairs of a list that was made anew this time: none where the one before served. */
  get perFreshPair() {
    return { place: Size.freshPairs, extent: this.#sizeAt(Size.freshPairs) };
  }

  /** Over all pairs. */
  get perPair() {
    return { place: Size.allPairs, extent: this.#sizeAt(Size.allPairs) };
  }

  /** `[count * 2]`: entries a < b of each pair, sorted by a, then b. `reserve` puts another buffer in its place. */
  get pairs(): GPUBuffer {
    return this.#room.pairs;
  }

  /** Boxes of the entries, `EntryBox`. Usable as a copy's target, too. */
  get boxes(): GPUBuffer {
    return this.#parts.buffers.boxes;
  }

  /** Pairs that there is room for. */
  get capacity(): number {
    return this.#room.capacity;
  }

  /** Bytes of its buffers, but for those of the building blocks. */
  get bytes(): number {
    return this.#parts.pool.bytes + this.#room.bytes;
  }

  /**
   * Makes room for more pairs. The next list is made anew. Nothing that was recorded before may be submitted any more.
   *
   * @throws DeviceError `limits` if the device does not allow a buffer of the size: the room stays as it was
   */
  async reserve(capacity: number): Promise<void> {
    if (capacity <= this.capacity) return;
    const room = await makeRoom(this.#device, this.#options.entries.count, capacity);
    this.#room.owner.destroy();
    this.#room = room;
    this.forget();
  }

  /** The next list is made anew. */
  forget(): void {
    writeBuffer(this.#device, this.header, new Uint32Array(1), WORD * HeaderWord.serves);
  }

  /**
   * Records that the list is made for bodies, unless the one before still serves.
   *
   * @param bodies `ContactBody` for each body
   */
  record(recorder: Recorder, bodies: GPUBuffer): void {
    const { cell, margin } = this.#options;
    const { header, listedBodies, places, boxes, filters, entryLevels, levels } = this.#parts.buffers;
    this.#recordMove(recorder, bodies);
    this.#recordBegin(recorder, false);
    const perLength = QUANTA_PER_CELL / cell;
    const made = { places, bodies, header, boxes, listedBodies, filters, entryLevels, levels };
    recorder.run(bind(this.#device, this.#parts.kernels.entryBoxes, made), {
      ...this.#perWork,
      params: { perLength, grown: (margin / 2) * perLength },
    });
    this.#recordRows(recorder);
    this.#recordPairs(recorder, true);
  }

  /**
   * Records nothing but how far bodies have moved. The list serves on where `HeaderWord.serves` is 1 and
   * `HeaderWord.moved` not above `allowed`; otherwise what is found with it is of no use.
   */
  recordKept(recorder: Recorder, bodies: GPUBuffer): void {
    recorder.clear(this.header, WORD * HeaderWord.rebuilt, WORD);
    this.#recordMove(recorder, bodies);
  }

  /** How far points may move before a list is stale, a length. */
  get allowed(): number {
    return Math.fround((this.#options.margin / 2) * DOWNWARDS);
  }

  /** Records that the list is made for the boxes as they are. It serves only this time. */
  recordBoxes(recorder: Recorder): void {
    const { header, boxes, filters, entryLevels, levels } = this.#parts.buffers;
    this.#recordBegin(recorder, true);
    const measured = { boxes, filters, header, entryLevels, levels };
    const { measureBoxes } = this.#parts.kernels;
    recorder.run(bind(this.#device, measureBoxes, measured), this.#perWork);
    this.#recordRows(recorder);
    this.#recordPairs(recorder, false);
  }

  destroy(): void {
    this.#parts.owner.destroy();
    this.#room.owner.destroy();
  }

  #sizeAt(place: number) {
    return { indirect: { buffer: this.#parts.buffers.sizes, offset: d.sizeOf(d.vec4u) * place } };
  }

  #recordMove(recorder: Recorder, bodies: GPUBuffer): void {
    const { cell, bodyCount } = this.#options;
    const { header, listedBodies, reaches } = this.#parts.buffers;
    recorder.clear(header, WORD * HeaderWord.moved, WORD);
    const moved = { bodies, listedBodies, reaches, header };
    recorder.run(bind(this.#device, this.#parts.kernels.largestMove, moved), {
      threads: bodyCount,
      params: { bodies: bodyCount, cell },
    });
  }

  #recordBegin(recorder: Recorder, renew: boolean): void {
    const { entries, bodyCount } = this.#options;
    const { header, sizes, levels, buckets } = this.#parts.buffers;
    recorder.clear(levels);
    recorder.clear(buckets);
    recorder.run(bind(this.#device, this.#parts.kernels.beginList, { header, sizes }), {
      groups: 1,
      params: {
        entries: entries.count,
        bodies: bodyCount,
        allowed: this.allowed,
        renew: renew ? 1 : 0,
        ...this.#groupLimits,
      },
    });
  }

  /** Boxes into rows. */
  #recordRows(recorder: Recorder): void {
    const { boxes, header, entryLevels, levels, keys, order, rowBoxes, buckets } = this.#parts.buffers;
    const { bucketKeys, fillRows } = this.#parts.kernels;
    const count = { buffer: header, offset: WORD * HeaderWord.entries };
    const run = { ...this.#perWork, params: this.#rowParams };
    const sorted = { boxes, header, entryLevels, order, keys };
    recorder.run(bind(this.#device, bucketKeys, { ...sorted, levels }), run);
    this.#parts.byKey.record(recorder, { keys, values: order, count });
    recorder.run(bind(this.#device, fillRows, { ...sorted, rowBoxes, buckets }), run);
  }

  /** Pairs of boxes in rows, sorted. */
  #recordPairs(recorder: Recorder, isOfBodies: boolean): void {
    const { filters, header, levels, rowBoxes, buckets, names, sizes } = this.#parts.buffers;
    const { findPartners, endList, joinPairs } = this.#parts.kernels;
    const { lowWords, highWords, pairs, sorts, capacity } = this.#room;
    const entryBits = entryBitsFor(this.#options.entries.count);
    const searched = { rowBoxes, buckets, levels, filters, header, lowWords, highWords };
    recorder.run(bind(this.#device, findPartners, searched), {
      ...this.#perWork,
      params: { ...this.#rowParams, entryBits, capacity },
    });
    recorder.run(bind(this.#device, endList, { header, sizes }), {
      groups: 1,
      params: { capacity, isOfBodies: isOfBodies ? 1 : 0, ...this.#groupLimits },
    });
    const count = { buffer: header, offset: WORD * HeaderWord.fresh };
    const [byLow, byHigh] = sorts;
    byLow!.record(recorder, { keys: lowWords, values: highWords, count });
    byHigh?.record(recorder, { keys: highWords, values: lowWords, count });
    recorder.run(bind(this.#device, joinPairs, { sizes, lowWords, highWords, names, pairs }), {
      ...{ threads: capacity, params: { entryBits, sizeAt: Size.freshPairs } },
    });
  }

  /** Over entries and bodies: kernels see whether there is work. Indirect dispatches would cost more. */
  get #perWork() {
    const { entries, bodyCount } = this.#options;
    return { threads: Math.max(entries.count, bodyCount) };
  }

  get #groupLimits() {
    const mostGroups = this.#device.limits.maxComputeWorkgroupsPerDimension;
    return { mostGroups, allGroups: 2 ** 32 / GROUP };
  }

  get #rowParams() {
    const { count } = this.#options.entries;
    return { buckets: 2 ** bucketBitsFor(count), cellBits: cellBitsFor(count) };
  }
}

/** Bits of a bucket's number: at most every second bucket has a row. */
function bucketBitsFor(entries: number): number {
  return 33 - Math.clz32(Math.max(1, entries) - 1);
}

const cellBitsFor = (entries: number) => Math.min(CELL_BITS, KEY_BITS - bucketBitsFor(entries));

/** Bits of an entry's number. */
const entryBitsFor = (entries: number) => 32 - Math.clz32(Math.max(2, entries) - 1);

function reserveBuffers(device: Device, pool: BufferPool, options: GpuBroadPhaseOptions) {
  const { entries, places, bodyCount, names } = options;
  const { STORAGE, COPY_SRC, COPY_DST, INDIRECT } = GPUBufferUsage;
  const words = (label: string, count: number, usage = STORAGE) => pool.reserve(label, WORD * count, usage);
  const header = words('pairs: header', HEADER_WORDS, STORAGE | COPY_SRC | COPY_DST);
  writeBuffer(device, header, new Uint32Array(HEADER_WORDS));
  const { count } = entries;
  return {
    header,
    sizes: words('pairs: sizes', 4 * Object.keys(Size).length, STORAGE | INDIRECT),
    names: pool.upload('entries: names', Uint32Array.from(names ?? entries.bodies.keys())),
    places: pool.upload('entries: places', packPlaces(places)),
    filters: pool.upload('entries: filters', packFilters(entries)),
    reaches: pool.upload('bodies: reaches', Float32Array.from(reachesOf(places, bodyCount))),
    listedBodies: pool.reserve('bodies of the list', d.sizeOf(ContactBody) * bodyCount, STORAGE),
    boxes: pool.reserve('entries: boxes', d.sizeOf(EntryBox) * count, STORAGE | COPY_SRC | COPY_DST),
    entryLevels: words('entries: levels', count),
    levels: words('levels', LEVEL_WORDS, STORAGE | COPY_DST),
    keys: words('entries: keys', count, STORAGE | COPY_SRC),
    order: words('entries: order', count, STORAGE | COPY_SRC),
    rowBoxes: pool.reserve('rows: boxes', d.sizeOf(RowBox) * count, STORAGE),
    buckets: words('rows: buckets', 2 * 2 ** bucketBitsFor(count), STORAGE | COPY_DST),
  };
}

function makeRoom(device: Device, entries: number, capacity: number): Promise<PairRoom> {
  return owned(async (owner) => {
    const pool = owner.keep(new BufferPool(device));
    const { STORAGE, COPY_SRC } = GPUBufferUsage;
    const words = (label: string, count: number) => pool.reserve(label, WORD * count, STORAGE | COPY_SRC);
    const lowWords = words('pairs: low words', capacity);
    const highWords = words('pairs: high words', capacity);
    const pairs = words('pairs', 2 * capacity);
    const bits = 2 * entryBitsFor(entries);
    const sorts: RadixSort[] = [];
    for (let left = bits; left > 0; left -= KEY_BITS) {
      const digits = { most: capacity, bits: Math.min(left, KEY_BITS) };
      sorts.push(owner.keep(await createRadixSort(device, digits)));
    }
    return { owner, bytes: pool.bytes, capacity, lowWords, highWords, pairs, sorts };
  });
}
