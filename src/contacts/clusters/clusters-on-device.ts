/**
 * Contacts of polyhedra on the GPU: the way that nodes and edges have in common. Clusters that are near are listed, in
 * the order of pairs and then of sides. Each counts its contacts, which are then written at their places. So records
 * have the order of the CPU's list, and no place depends on timing. Nothing in it waits.
 */
import * as d from 'typegpu/data';
import { bind } from '../../gpu/bind.ts';
import { threadsOver } from '../../gpu/blocks/form.ts';
import { createScan, type Scan } from '../../gpu/blocks/scan.ts';
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import type { BufferCount } from '../../gpu/indirect.ts';
import { compileKernels, type KernelSource, type KernelsOf } from '../../gpu/kernel.ts';
import { type Owner, owned } from '../../gpu/owned.ts';
import type { Recorder } from '../../gpu/recorder.ts';
import { WORD } from '../../gpu/words.ts';
import type { Colliders } from '../bodies/colliders.ts';
import { ContactRecord } from '../bodies/device-layout.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import {
  FieldTally,
  findClustersSource,
  findPlanesSource,
  type testItemsBindings,
  type writeItemsBindings,
} from './cluster-kernels.ts';
import { packPlacedPolyhedra } from './placed-polyhedra.ts';

const ITEM = d.sizeOf(d.vec4u);
const PLANE = d.sizeOf(d.vec4f);
/** Places in the tally, in bytes. */
const Tally = { pairs: 0, items: WORD } as const;

export interface ClustersOnDeviceOptions {
  readonly colliders: Colliders;
  /** By the numbers in `Colliders.polyhedra`. */
  readonly polyhedra: readonly PolyhedronArrays[];
  /** These, as `packAtlas` makes them. */
  readonly atlas: GPUBuffer;
  /** Edge of a cell of positions, a length. */
  readonly cell: number;
  /** Room for pairs. What does not fit is left out, and counted all the same. */
  readonly pairs: number;
  /** Room for clusters near a partner. */
  readonly items: number;
  /** A stage that finds the planes of the same pairs earlier in the pass. Default: this one finds them. */
  readonly before?: Promise<ClustersOnDevice> | undefined;
}

export interface ClusterPairs {
  /** `ContactBody` each. */
  readonly bodies: GPUBuffer;
  /** Two u32 each: colliders A and B. */
  readonly pairs: GPUBuffer;
  readonly count: BufferCount;
}

/** The kernels that differ between nodes and edges. */
export interface ClusterKernels {
  readonly test: KernelSource<typeof testItemsBindings>;
  readonly write: KernelSource<typeof writeItemsBindings>;
  readonly ofEdges: boolean;
}

interface Parts {
  readonly kernels: KernelsOf<
    Pick<ClusterKernels, 'test' | 'write'> & {
      readonly find: typeof findClustersSource;
      readonly findPlanes: typeof findPlanesSource | undefined;
    }
  >;
  readonly owner: Owner;
  readonly ofEdges: boolean;
  readonly pool: BufferPool;
  readonly scan: Scan;
}

/** Nodes, or edges, of polyhedra in polyhedra. `record`, then `countContacts`, then `writeContacts`. */
export class ClustersOnDevice {
  /** Words that counts of contacts take. */
  readonly countWords: number;
  /** `FieldTally` of the last pass. */
  readonly tally: GPUBuffer;
  readonly #device: Device;
  readonly #options: ClustersOnDeviceOptions;
  readonly #parts: Parts;
  readonly #buffers: Readonly<Record<'colliders' | 'planes' | 'pairCounts' | 'items', GPUBuffer>>;
  #last: Given | undefined;

  private constructor(
    device: Device,
    options: ClustersOnDeviceOptions,
    parts: Parts,
    before: ClustersOnDevice | undefined,
  ) {
    this.#device = device;
    this.#options = options;
    this.#parts = parts;
    const { pool } = parts;
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    this.countWords = options.items;
    this.tally = pool.reserve('tally of clusters', d.sizeOf(FieldTally), STORAGE | COPY_SRC | COPY_DST);
    this.#buffers = {
      colliders: pool.upload('placed polyhedra', packPlacedPolyhedra(options.colliders, options.polyhedra)),
      planes: before?.planes ?? pool.reserve('planes of pairs', 2 * PLANE * options.pairs, STORAGE),
      pairCounts: pool.reserve('clusters of pairs', WORD * options.pairs, STORAGE),
      items: pool.reserve('clusters near partners', ITEM * options.items, STORAGE),
    };
  }

  /** Compiles the kernels, if nobody did before, and makes room. @throws DeviceError `limits` if there is none */
  static create(device: Device, { test, write, ofEdges }: ClusterKernels, options: ClustersOnDeviceOptions) {
    return owned(async (owner) => {
      const findPlanes = options.before ? undefined : findPlanesSource;
      const kernels = await compileKernels(device, { find: findClustersSource, findPlanes, test, write });
      const pool = owner.keep(new BufferPool(device));
      const scan = owner.keep(await createScan(device, { most: options.pairs }));
      const parts = { owner, kernels, ofEdges, pool, scan };
      const before = await options.before;
      return device.checked('room for clusters', () => new ClustersOnDevice(device, options, parts, before));
    });
  }

  /** u32: clusters before the first one of each pair, after `record`. */
  get firsts(): GPUBuffer {
    return this.#buffers.pairCounts;
  }

  /** Two vec4f for each pair, after `record`: no contact is beyond them. */
  get planes(): GPUBuffer {
    return this.#buffers.planes;
  }

  /** Bytes of its buffers. */
  get bytes(): number {
    return this.#parts.pool.bytes;
  }

  /** Records what stands before a pass. */
  begin(recorder: Recorder, { count }: Pick<ClusterPairs, 'count'>): void {
    const { tally } = this;
    recorder.clear(tally);
    recorder.copy(
      { buffer: count.buffer, offset: count.offset ?? 0 },
      { buffer: tally, offset: Tally.pairs },
      WORD,
    );
  }

  /** Records that clusters near their partners are listed. Contacts are counted and written afterwards. */
  record(recorder: Recorder, { bodies, pairs }: ClusterPairs): void {
    const { kernels, ofEdges, scan } = this.#parts;
    const { cell: cellSize, atlas, pairs: mostPairs, items: mostItems } = this.#options;
    const { colliders, planes, pairCounts, items } = this.#buffers;
    const { tally } = this;
    const device = this.#device;
    const given = { bodies, colliders, atlas, pairs, tally };
    const params = { cellSize, mostPairs, mostItems, ofEdges: Number(ofEdges) };
    const ofPairs = { buffer: tally, offset: Tally.pairs };
    // As many threads as there is room for, and kernels see how many there are: an indirect dispatch would cost more.
    const extent = threadsOver(device, mostPairs);
    if (kernels.findPlanes) {
      const bound = bind(device, kernels.findPlanes, { ...given, planes });
      recorder.run(bound, { ...extent, params: this.#params(0) });
    }
    const find = bind(device, kernels.find, { ...given, planes, counts: pairCounts, items });
    recorder.run(find, { ...extent, params: { ...params, isListed: 0 } });
    scan.record(recorder, { numbers: pairCounts, count: ofPairs });
    recorder.copy(scan.total, { buffer: tally, offset: Tally.items }, WORD);
    recorder.run(find, { ...extent, params: { ...params, isListed: 1 } });
    this.#last = given;
  }

  /** Records that numbers of contacts go to `counts`: up to `countWords`, from `countsAt` on, where all are 0. */
  countContacts(recorder: Recorder, counts: GPUBuffer, countsAt: number): void {
    const bound = bind(this.#device, this.#parts.kernels.test, {
      ...this.#last!,
      planes: this.#buffers.planes,
      items: this.#buffers.items,
      counts,
    });
    recorder.run(bound, { ...threadsOver(this.#device, this.countWords), params: this.#params(countsAt) });
  }

  /**
   * Records that contacts are written as `ContactRecord`, at the sums of the numbers before theirs: `offsets`, from
   * `countsAt` on. Those that `records` has no room for are left out.
   */
  writeContacts(recorder: Recorder, offsets: GPUBuffer, countsAt: number, records: GPUBuffer): void {
    const buffers = { ...this.#last!, items: this.#buffers.items, offsets, records };
    recorder.run(bind(this.#device, this.#parts.kernels.write, buffers), {
      // As many as there is room for: how many there are is not known here.
      ...threadsOver(this.#device, records.size / d.sizeOf(ContactRecord)),
      params: this.#params(countsAt),
    });
  }

  destroy(): void {
    this.#parts.owner.destroy();
  }

  #params(countsAt: number) {
    const { cell, pairs, items } = this.#options;
    return { cellSize: cell, mostPairs: pairs, mostItems: items, countsAt };
  }
}

type Given = Readonly<Record<'bodies' | 'colliders' | 'atlas' | 'pairs' | 'tally', GPUBuffer>>;
