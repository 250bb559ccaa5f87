/**
 * Contacts by kernels, for callers whose poses are on the host: it uploads, reads back, makes longer lists where they
 * ran over, and has float64 find what kernels leave open or have no code for.
 */
import { sizeOf } from 'typegpu/data';
import { ContactBody } from '../../broadphase/broad-phase-layout.ts';
import { packBodies } from '../../broadphase/gpu/tables.ts';
import { OPEN_HEADER } from '../../convex/gpu/pair-layout.ts';
import {
  BufferPool,
  type ReadBackSource,
  readStaged,
  stageCopies,
  wordsOf,
  writeBuffer,
} from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { lapClock } from '../../gpu/lap-clock.ts';
import { Recorder } from '../../gpu/recorder.ts';
import { startPassTimer } from '../../gpu/timestamps.ts';
import { WORD } from '../../gpu/words.ts';
import type { ColliderPairs } from '../bodies/collider-pairs.ts';
import { ContactRecord } from '../bodies/device-layout.ts';
import { pairsNearPlanes, possiblePlanePairs } from '../bodies/plane-pairs.ts';
import { STAGES, type Stage } from '../cpu/contacts-task.ts';
import type { FoundContacts } from '../cpu/cpu-contacts.ts';
import type { DetectionWatch, HostStages, PosedBodies } from '../cpu/host-stages.ts';
import { ContactKind, ContactStatus } from '../list/contact-arrays.ts';
import { type ContactRows, joinRows, rowsBetween } from '../list/contact-sink.ts';
import { pairsWithUnknownFaces } from '../planes/planes-on-device.ts';
import type { GpuContactsOptions } from './gpu-contacts.ts';
import { GrowingContacts, roomFor } from './growing-contacts.ts';
import { ContactHeader, type GrownList, HEADER_WORDS } from './header.ts';
import { firstCollidersOf, rowsOfRecords, withRedone } from './records.ts';

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
    const { colliders, convex } = options.table;
    this.#firstColliders = firstCollidersOf(colliders, options.bodies.count);
    const onPlanes = possiblePlanePairs(colliders, options.bodies);
    this.#onPlanes = pairsWithUnknownFaces(colliders, convex, onPlanes);
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
      const read = await this.#read(header, seconds);
      return await this.#finish(posed, header, read, watch, { grown, seconds: { ...seconds, gpu } });
    } finally {
      timer?.destroy();
    }
  }

  /** Runs all kernels. Returns the header, then the number of convex pairs. */
  async #step(
    { poses, absent }: PosedBodies,
    seconds: { upload: number; kernel: number },
  ): Promise<Uint32Array> {
    const device = this.#device;
    const contacts = this.#contacts.now;
    const { convex } = contacts.lists.classes;
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
        ...(convex ? [{ buffer: convex.count.buffer, bytes: WORD }] : []),
      ]);
      recorder.submit();
      return copies;
    });
    seconds.upload += lap();
    const parts = await device.restWhile(readStaged(device, staged));
    seconds.kernel += lap();
    return Uint32Array.from(parts.flatMap((part) => [...wordsOf(part)]));
  }

  /** Records, and of convex pairs those that are open. */
  async #read(header: Uint32Array, seconds: { readback: number }) {
    const lap = lapClock();
    const { records, convex } = this.#contacts.now;
    const count = header[ContactHeader.contacts]!;
    const open = header[ContactHeader.open]!;
    const sources = new Map<string, ReadBackSource>();
    if (count > 0) sources.set('records', { buffer: records, bytes: sizeOf(ContactRecord) * count });
    if (open > 0) sources.set('open', { buffer: convex!.open, bytes: WORD * (OPEN_HEADER + open) });
    if (open > 0) {
      // Open pairs are numbers of those that were solved: no more than there are.
      const bytes = 2 * WORD * header[HEADER_WORDS]!;
      sources.set('convex', { buffer: convex!.solved, bytes });
    }
    const found = new Map<string, Uint32Array>();
    if (sources.size > 0) {
      const device = this.#device;
      const staged = await device.checked('reading contacts back', () => {
        const recorder = new Recorder(device, { label: 'contacts' });
        const copies = stageCopies(this.#pool, recorder.encoder, [...sources.values()]);
        recorder.submit();
        return copies;
      });
      const parts = await device.restWhile(readStaged(device, staged));
      [...sources.keys()].forEach((name, i) => {
        found.set(name, wordsOf(parts[i]!));
      });
    }
    seconds.readback += lap();
    return found;
  }

  /** Puts rows of kernels and of the host in order. */
  async #finish(
    { poses, absent }: PosedBodies,
    header: Uint32Array,
    read: ReadonlyMap<string, Uint32Array>,
    watch: DetectionWatch,
    { grown, seconds }: Pick<GpuFound, 'grown'> & { seconds: Omit<GpuFound['seconds'], 'broadphase'> },
  ): Promise<GpuFound> {
    const { table, stages } = this.#options;
    const { colliders } = table;
    const lists: Partial<Record<Stage, ColliderPairs>> = {};
    lists.planes = { pairs: pairsNearPlanes({ colliders, poses, absent }, this.#onPlanes) };
    const own = rowsOfRecords(read.get('records') ?? new Uint32Array(0), this.#firstColliders);
    const ownOf = (kind: ContactKind) => rowsBetween(own, firstOf(own, kind), firstOf(own, kind + 1));
    const [nodes, edges] = [ownOf(ContactKind.node), ownOf(ContactKind.edge)];
    const patches = ownOf(ContactKind.patch);
    const open: Partial<Record<Stage, Uint32Array>> = {
      ...{ nodes: doubtfulPairs(nodes), edges: doubtfulPairs(edges), patches: doubtfulPairs(patches) },
      convex: inOrder(
        openPairs(read.get('open'), read.get('convex')),
        doubtfulPairs(ownOf(ContactKind.convex)),
      ),
    };
    for (const [stage, pairs] of Object.entries(open)) lists[stage as Stage] = { pairs };
    const host = await stages.run(lists, poses, watch);
    const redone = (stage: 'nodes' | 'edges' | 'patches' | 'convex', rows: ContactRows) =>
      withRedone(rows, open[stage]!, joinRows(host.rows[stage] ?? []));
    const byStage = {
      ...host.rows,
      ...{
        nodes: redone('nodes', nodes),
        edges: redone('edges', edges),
        patches: redone('patches', patches),
      },
      convex: redone('convex', ownOf(ContactKind.convex)),
      planes: withRedone(ownOf(ContactKind.plane), this.#onPlanes, joinRows(host.rows.planes ?? [])),
    };
    return {
      rows: STAGES.flatMap((stage) => byStage[stage] ?? []),
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

/** Where the rows of a kind, or of those after it, begin. */
function firstOf({ kinds, count }: ContactRows, kind: number): number {
  const first = kinds.findIndex((one) => one >= kind);
  return first < 0 ? count : first;
}

/** Colliders of pairs with a contact that float32 is not sure of, in order. */
function doubtfulPairs({ colliders, statuses, count }: ContactRows): Uint32Array {
  const pairs: number[] = [];
  for (let i = 0; i < count; i++) {
    if (statuses[i] !== ContactStatus.open && statuses[i] !== ContactStatus.bounded) continue;
    const [a, b] = [colliders[2 * i]!, colliders[2 * i + 1]!];
    if (pairs.at(-2) !== a || pairs.at(-1) !== b) pairs.push(a, b);
  }
  return Uint32Array.from(pairs);
}

/** Pairs of two lists, in order and each once. */
function inOrder(one: Uint32Array, other: Uint32Array): Uint32Array {
  const pairs = Array.from({ length: (one.length + other.length) / 2 }, (_, i) => {
    const [list, at] = 2 * i < one.length ? [one, 2 * i] : [other, 2 * i - one.length];
    return [list[at]!, list[at + 1]!] as const;
  }).sort(([a, b], [c, d]) => a - c || b - d);
  const isNew = ([a, b]: readonly [number, number], i: number) =>
    i === 0 || a !== pairs[i - 1]![0] || b !== pairs[i - 1]![1];
  return Uint32Array.from(pairs.filter(isNew).flat());
}

/** Colliders of the pairs that float32 leaves open, in order. */
function openPairs(open: Uint32Array | undefined, pairs: Uint32Array | undefined): Uint32Array {
  if (open === undefined || pairs === undefined) return new Uint32Array(0);
  const numbers = open.slice(OPEN_HEADER).sort();
  return Uint32Array.from({ length: 2 * numbers.length }, (_, i) => pairs[2 * numbers[i >> 1]! + (i & 1)]!);
}
