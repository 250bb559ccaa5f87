/**
 * Contacts by kernels, for callers whose poses are on the host: it uploads, reads back, makes longer lists where they
 * ran over, and has float64 find what kernels leave open or have no code for.
 */
import { sizeOf } from 'typegpu/data';
import { ContactBody } from '../../broadphase/broad-phase-layout.ts';
import { packBodies } from '../../broadphase/gpu/tables.ts';
import { BufferPool, readStaged, stageCopies, wordsOf, writeBuffer } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { lapClock } from '../../gpu/lap-clock.ts';
import { Recorder } from '../../gpu/recorder.ts';
import { startPassTimer } from '../../gpu/timestamps.ts';
import { WORD } from '../../gpu/words.ts';
import type { Stage } from '../cpu/contacts-task.ts';
import type { FoundContacts } from '../cpu/cpu-contacts.ts';
import type { DetectionWatch, HostStages, PosedBodies } from '../cpu/host-stages.ts';
import type { GpuContactsOptions } from './gpu-contacts.ts';
import { GrowingContacts, roomFor } from './growing-contacts.ts';
import { ContactHeader, type GrownList, HEADER_WORDS } from './header.ts';
import { firstCollidersOf } from './records.ts';
import { planePairsOnHost, type ReadRows, readRows, settleRows } from './settle-rows.ts';

export interface GpuDetectionOptions extends GpuContactsOptions {
  readonly stages: HostStages;
}

export interface GpuFound extends Omit<FoundContacts, 'seconds'> {
  readonly grown: readonly GrownList[];
  readonly seconds: FoundContacts['seconds'] &
    Record<'upload' | 'kernel' | 'readback', number> & {
      readonly gpu?: number | undefined;
    };
}

export class GpuDetection {
  readonly #device: Device;
  readonly #options: GpuDetectionOptions;
  readonly #pool: BufferPool;
  readonly #firstColliders: Uint32Array;
  /** Pairs with planes that the host answers. */
  readonly #onPlanes: Uint32Array;
  readonly #contacts: GrowingContacts;

  private constructor(device: Device, options: GpuDetectionOptions, contacts: GrowingContacts) {
    this.#device = device;
    this.#options = options;
    this.#contacts = contacts;
    this.#pool = new BufferPool(device);
    this.#firstColliders = firstCollidersOf(options.table.colliders, options.bodies.count);
    this.#onPlanes = planePairsOnHost(options.table, options.bodies);
  }

  static async create(device: Device, options: GpuDetectionOptions): Promise<GpuDetection> {
    return new GpuDetection(device, options, await GrowingContacts.create(device, options));
  }

  /** Bytes of GPU memory held now. */
  get gpuBytes(): number {
    return this.#contacts.now.bytes + this.#pool.bytes;
  }

  /** Stages that the host answers. */
  get hostStages(): readonly Stage[] {
    return this.#onPlanes.length > 0 ? ['planes'] : [];
  }

  /** Forgets earlier steps. */
  forget(): void {
    this.#contacts.now.lists.broadPhase.forget();
  }

  detect(posed: PosedBodies, watch: DetectionWatch, timestamps: boolean): Promise<GpuFound> {
    return this.#device.exclusive(() => this.#detect(posed, watch, timestamps));
  }

  async #detect(posed: PosedBodies, watch: DetectionWatch, timestamps: boolean): Promise<GpuFound> {
    const device = this.#device;
    device.assertOpen();
    watch.signal?.throwIfAborted();
    const grown: GrownList[] = [];
    const seconds = { upload: 0, kernel: 0, readback: 0 };
    const timer = timestamps ? await startPassTimer(device) : undefined;
    try {
      let header = await this.#step(posed, seconds);
      for (let room = roomFor(header, grown); room !== undefined; room = roomFor(header, grown)) {
        watch.signal?.throwIfAborted();
        await this.#contacts.grow(room);
        header = await this.#step(posed, seconds);
      }
      watch.signal?.throwIfAborted();
      const gpu = await timer?.read();
      const lap = lapClock();
      const { now } = this.#contacts;
      const read = await device.restWhile(readRows(device, this.#pool, now, header, this.#firstColliders));
      seconds.readback += lap();
      return await this.#finish(posed, header, read, watch, { grown, seconds: { ...seconds, gpu } });
    } finally {
      timer?.destroy();
    }
  }

  /** Runs all kernels. Returns the header. */
  async #step(
    { poses, absent }: PosedBodies,
    seconds: { upload: number; kernel: number },
  ): Promise<Uint32Array> {
    const device = this.#device;
    const contacts = this.#contacts.now;
    const lap = lapClock();
    const { bodies, cell } = this.#options;
    const staged = await device.checked('finding contacts', () => {
      const { STORAGE, COPY_DST } = GPUBufferUsage;
      const buffer = this.#pool.reserve('bodies', sizeOf(ContactBody) * bodies.count, STORAGE | COPY_DST);
      writeBuffer(device, buffer, packBodies(poses, bodies.isStatic, cell, absent));
      const recorder = new Recorder(device, { label: 'contacts' });
      contacts.record(recorder, buffer);
      const copies = stageCopies(this.#pool, recorder.encoder, [
        { buffer: contacts.header, bytes: WORD * HEADER_WORDS },
      ]);
      recorder.submit();
      return copies;
    });
    seconds.upload += lap();
    const [header] = await device.restWhile(readStaged(device, staged));
    seconds.kernel += lap();
    return wordsOf(header!);
  }

  /** Puts rows of kernels and of the host in order. */
  async #finish(
    posed: PosedBodies,
    header: Uint32Array,
    read: ReadRows,
    watch: DetectionWatch,
    { grown, seconds }: Pick<GpuFound, 'grown'> & { seconds: Omit<GpuFound['seconds'], 'broadphase'> },
  ): Promise<GpuFound> {
    const { rows, host } = await settleRows(this.#options, this.#onPlanes, read, posed, watch);
    return {
      rows,
      pairs: header[ContactHeader.pairs]! + header[ContactHeader.planePairs]!,
      nodes: {
        tested: header[ContactHeader.nodesTested]! + host.nodes.tested,
        near: header[ContactHeader.nodesNear]! + host.nodes.near,
      },
      ...{ threads: host.threads, grown },
      seconds: { broadphase: 0, ...host.seconds, ...seconds },
    };
  }

  destroy(): void {
    this.#contacts.destroy();
    this.#pool.destroy();
  }
}
