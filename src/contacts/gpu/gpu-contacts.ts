/**
 * A step on the GPU: bodies to pairs to contacts. It records kernels into a command encoder, and nothing in it waits.
 * What has no kernels is left to the host: the pairs of these classes can be read back.
 */
import * as d from 'typegpu/data';
import { HeaderWord } from '../../broadphase/layout.ts';
import { createScan, type Scan } from '../../gpu/blocks/scan.ts';
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import type { Recorder } from '../../gpu/recorder.ts';
import type { ResolvedBodies } from '../bodies/check-bodies.ts';
import type { ColliderTable } from '../bodies/collider-table.ts';
import { ContactRecord } from '../bodies/device-layout.ts';
import { ConvexOnDevice } from '../convex/convex-on-device.ts';
import { ContactHeader, HEADER_WORDS } from './header.ts';
import { GpuPairLists } from './pair-lists.ts';

const WORD = d.sizeOf(d.u32);

/** Room for lists. */
export interface GpuCapacity {
  /** Pairs of colliders. */
  readonly pairs: number;
  readonly contacts: number;
}

export interface GpuContactsOptions {
  readonly table: ColliderTable;
  readonly bodies: ResolvedBodies;
  readonly cell: number;
  readonly margin: number;
  readonly capacity: GpuCapacity;
}

export class GpuContacts {
  readonly lists: GpuPairLists;
  /** Undefined where no pair is of two convex shapes. */
  readonly convex: ConvexOnDevice | undefined;
  readonly capacity: GpuCapacity;
  /** `ContactRecord` for each contact, in the order of the list. */
  readonly records: GPUBuffer;
  /** `ContactHeader` says what its words are. */
  readonly header: GPUBuffer;
  readonly #pool: BufferPool;
  /** A number of contacts before the first pair's, then of each pair; then of those before each. */
  readonly #counts: GPUBuffer;
  readonly #scan: Scan;

  private constructor(
    device: Device,
    {
      lists,
      convex,
      scan,
      pool,
    }: { lists: GpuPairLists; convex?: ConvexOnDevice; scan: Scan; pool: BufferPool },
    capacity: GpuCapacity,
  ) {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    this.lists = lists;
    this.convex = convex;
    this.capacity = capacity;
    this.#scan = scan;
    this.#pool = pool;
    const bytes = d.sizeOf(ContactRecord) * capacity.contacts;
    this.records = pool.reserve('contacts', bytes, STORAGE | COPY_SRC);
    this.header = pool.reserve('contacts: header', WORD * HEADER_WORDS, STORAGE | COPY_SRC | COPY_DST);
    this.#counts = pool.reserve('contacts per pair', WORD * (capacity.pairs + 1), STORAGE | COPY_DST);
    const words = new Uint32Array(HEADER_WORDS);
    words[ContactHeader.pairCapacity] = capacity.pairs;
    words[ContactHeader.contactCapacity] = capacity.contacts;
    device.handle.queue.writeBuffer(this.header, 0, words);
  }

  /**
   * Compiles all kernels, if nobody did before, and makes room.
   *
   * @throws DeviceError `limits` where the device allows no buffer so large
   */
  static async create(device: Device, options: GpuContactsOptions): Promise<GpuContacts> {
    const { table, bodies, cell, margin, capacity } = options;
    const { colliders } = table;
    const made: { destroy(): void }[] = [];
    const keep = <T extends { destroy(): void }>(one: T): T => {
      made.push(one);
      return one;
    };
    try {
      const lists = keep(
        await GpuPairLists.create(device, { colliders, bodies, cell, margin, capacity: capacity.pairs }),
      );
      const hasConvex = lists.classes.convex !== undefined;
      const convex = hasConvex
        ? keep(
            await ConvexOnDevice.create(device, {
              ...{ table: table.convex!, colliders, cell, mostPairs: capacity.pairs },
            }),
          )
        : undefined;
      const scan = keep(await createScan(device, { most: capacity.pairs + 1 }));
      const pool = keep(new BufferPool(device));
      return await device.checked(
        'making room for contacts',
        () => new GpuContacts(device, { lists, scan, pool, ...(convex && { convex }) }, capacity),
      );
    } catch (error) {
      for (const one of made) one.destroy();
      throw error;
    }
  }

  get bytes(): number {
    return this.#pool.bytes + this.lists.bytes + (this.convex?.gpuBytes ?? 0);
  }

  /** @param bodies `ContactBody` for each body */
  record(recorder: Recorder, bodies: GPUBuffer): void {
    const { lists, convex, header, records, capacity } = this;
    lists.record(recorder, bodies);
    const counts = this.#counts;
    recorder.clear(counts);
    const { convex: pairs } = lists.classes;
    if (convex && pairs) {
      convex.record(recorder, { bodies, ...pairs });
      convex.countContacts(recorder, counts, 1);
    }
    this.#scan.record(recorder, { numbers: counts, count: capacity.pairs + 1 });
    if (convex && pairs) {
      convex.writeContacts(recorder, counts, 1, records);
      recorder.copy(convex.open, { buffer: header, offset: WORD * ContactHeader.open }, WORD);
    }
    const { buffer, offset = 0 } = this.#scan.total;
    recorder.copy({ buffer, offset }, { buffer: header, offset: WORD * ContactHeader.contacts }, WORD);
    const needed = { buffer: lists.broadPhase.header, offset: WORD * HeaderWord.needed };
    recorder.copy(needed, { buffer: header, offset: WORD * ContactHeader.pairs }, WORD);
  }

  destroy(): void {
    for (const one of [this.lists, this.convex, this.#scan, this.#pool]) one?.destroy();
  }
}
