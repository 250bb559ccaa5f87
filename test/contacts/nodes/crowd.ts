/** Crowds of polyhedra, and what the CPU and the GPU find in them: one list each, to be held against the other. */
import * as d from 'typegpu/data';
import { packBodies } from '../../../src/broadphase/gpu/tables.ts';
import { packAtlas } from '../../../src/contacts/atlas/pack-atlas.ts';
import type { PosedColliders } from '../../../src/contacts/bodies/collider-pairs.ts';
import { ColliderKind } from '../../../src/contacts/bodies/colliders.ts';
import { ContactRecord } from '../../../src/contacts/bodies/device-layout.ts';
import type {
  ClustersOnDevice,
  ClustersOnDeviceOptions,
} from '../../../src/contacts/clusters/clusters-on-device.ts';
import type { PolyhedronArrays } from '../../../src/contacts/field/field-arrays.ts';
import { CONTACT_VALUES, ContactSink } from '../../../src/contacts/list/contact-sink.ts';
import type { PolyhedronPairsJob } from '../../../src/contacts/nodes/polyhedron-pairs.ts';
import { createScan } from '../../../src/gpu/blocks/scan.ts';
import { BufferPool, readBack } from '../../../src/gpu/buffers.ts';
import type { Device } from '../../../src/gpu/device.ts';
import { Recorder } from '../../../src/gpu/recorder.ts';
import { bodyOf, posedConvex } from '../posed.ts';
import { RandomPoses } from './poses.ts';

const RECORD = d.sizeOf(ContactRecord);
const WORD = 4;
const CELL = 4;

export interface Crowd {
  readonly polyhedra: readonly PolyhedronArrays[];
  readonly posed: PosedColliders;
  readonly pairs: Uint32Array<ArrayBuffer>;
}

/** Bodies close to each other, so far from the origin, and all pairs of them. */
export function crowdOf(polyhedra: readonly PolyhedronArrays[], count: number, middle: number): Crowd {
  const poses = new RandomPoses(29);
  const bodies = Array.from({ length: count }, (_, i) => {
    const shape = i % polyhedra.length;
    const { pose } = poses.placed(polyhedra[shape]!, 1.4 * (i % 5), [middle, -middle, 0]);
    // As the GPU has them.
    return bodyOf(shape, pose.slice(0, 3), pose.slice(3).map(Math.fround), ColliderKind.polyhedron);
  });
  const pairs: number[] = [];
  for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) pairs.push(a, b);
  return { polyhedra, posed: posedConvex(bodies), pairs: Uint32Array.from(pairs) };
}

/** Most that two bodies' places have to do with: the way between them, and how far they reach. */
export function sizeOfPair({ polyhedra, posed }: Crowd, { a, b }: { a: number; b: number }): number {
  const radius = (i: number) => {
    const { min, max } = polyhedra[posed.colliders.polyhedra[i]!]!.box;
    return Math.hypot(...[0, 1, 2].map((k) => Math.max(Math.abs(min[k]!), Math.abs(max[k]!))));
  };
  const way = [0, 1, 2].map((k) => posed.poses[7 * a + k]! - posed.poses[7 * b + k]!);
  return Math.hypot(...way) + radius(a) + radius(b);
}

export interface ListedContact {
  readonly a: number;
  readonly b: number;
  readonly feature: number;
  readonly kind: number;
  readonly status: number;
  readonly triangle: number;
  readonly normal: number[];
  readonly point: number[];
  readonly distance: number;
  readonly area: number;
}

export function onCpu(crowd: Crowd, phase: (job: PolyhedronPairsJob) => unknown): ListedContact[] {
  const { polyhedra, posed, pairs } = crowd;
  const sink = new ContactSink();
  phase({ polyhedra, posed, pairs: { pairs }, first: 0, end: pairs.length / 2, sink });
  const rows = sink.rows();
  return Array.from(rows.features, (feature, i) => {
    const v = [...rows.values.subarray(CONTACT_VALUES * i, CONTACT_VALUES * (i + 1))];
    return {
      ...{ a: rows.colliders[2 * i]!, b: rows.colliders[2 * i + 1]!, feature },
      ...{ kind: rows.kinds[i]!, status: rows.statuses[i]!, triangle: rows.triangles[i]! },
      ...{ normal: v.slice(0, 3), point: v.slice(3, 6), distance: v[6]!, area: v[7]! },
    };
  });
}

export interface Room {
  readonly pairs: number;
  readonly items: number;
  readonly contacts: number;
}

/** What a pass listed, as far as there was room, and what it needed. */
export interface DeviceList {
  readonly list: ListedContact[];
  readonly needed: { readonly pairs: number; readonly items: number; readonly contacts: number };
  /** Nodes that were looked up. */
  readonly tested: number;
  readonly bytes: Uint8Array;
}

type Phase = Pick<
  ClustersOnDevice,
  'begin' | 'record' | 'countContacts' | 'writeContacts' | 'countWords' | 'tally' | 'destroy'
>;
type Create = (device: Device, options: ClustersOnDeviceOptions) => Promise<Phase>;

export async function onGpu(device: Device, create: Create, crowd: Crowd, room: Room): Promise<DeviceList> {
  const { polyhedra, posed, pairs } = crowd;
  const { colliders, poses } = posed;
  const pool = new BufferPool(device);
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const atlas = pool.upload('atlas', packAtlas(polyhedra));
  const phase = await create(device, { colliders, polyhedra, atlas, cell: CELL, ...room });
  const scan = await createScan(device, { most: phase.countWords });
  const count = pool.reserve('number of pairs', WORD, usage);
  const counts = pool.reserve('numbers of contacts', WORD * phase.countWords, usage);
  const total = pool.reserve('number of contacts', WORD, usage);
  const records = pool.reserve('contacts', RECORD * room.contacts, usage);
  device.handle.queue.writeBuffer(count, 0, Uint32Array.of(pairs.length / 2));
  const recorder = new Recorder(device);
  const inputs = {
    bodies: pool.upload('bodies', packBodies(poses, new Uint8Array(colliders.count), CELL)),
    pairs: pool.upload('pairs', pairs),
    count: { buffer: count },
  };
  phase.begin(recorder, inputs);
  phase.record(recorder, inputs);
  phase.countContacts(recorder, counts, 0);
  scan.record(recorder, { numbers: counts, count: phase.countWords });
  recorder.copy(scan.total, total, WORD);
  phase.writeContacts(recorder, counts, 0, records);
  recorder.submit();
  const [tally, sum, bytes] = await readBack(device, pool, [
    { buffer: phase.tally, bytes: 3 * WORD },
    { buffer: total, bytes: WORD },
    { buffer: records, bytes: RECORD * room.contacts },
  ]);
  for (const one of [phase, scan, pool]) one.destroy();
  const [pairCount, items, tested] = new Uint32Array(tally!.slice().buffer);
  const contacts = new Uint32Array(sum!.slice().buffer)[0]!;
  const copy = bytes!.slice().buffer;
  const [words, floats] = [new Uint32Array(copy), new Float32Array(copy)];
  const list = Array.from({ length: Math.min(contacts, room.contacts) }, (_, i) => {
    const at = (RECORD / WORD) * i;
    return {
      ...{ a: words[at]!, b: words[at + 1]!, feature: words[at + 3]! },
      ...{ kind: words[at + 13]! & 255, status: words[at + 13]! >>> 8, triangle: words[at + 12]! },
      ...{ normal: [...floats.subarray(at + 4, at + 7)], point: [...floats.subarray(at + 8, at + 11)] },
      ...{ distance: floats[at + 7]!, area: floats[at + 11]! },
    };
  });
  return {
    list,
    needed: { pairs: pairCount!, items: items!, contacts },
    tested: tested!,
    bytes: bytes!.subarray(0, RECORD * list.length),
  };
}

export const keyOf = ({ a, b, feature }: ListedContact): string => `${a} ${b} ${feature}`;

/** Whether contacts are in the order of pairs, and then of features. */
export function isInOrder(list: readonly ListedContact[]): boolean {
  const rank = ({ a, b, feature }: ListedContact) => [a, b, feature];
  return list.every((one, i) => {
    if (i === 0) return true;
    const [x, y] = [rank(list[i - 1]!), rank(one)];
    const k = x.findIndex((part, n) => part !== y[n]);
    return k >= 0 && x[k]! < y[k]!;
  });
}
