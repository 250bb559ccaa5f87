/** A pipeline for callers whose bodies are on the GPU. */
import { sizeOf } from 'typegpu/data';
import { type Options, requireArray, requireOptions, told } from '../../arguments.ts';
import { ContactBody } from '../../broadphase/broad-phase-layout.ts';
import { packBodies } from '../../broadphase/gpu/tables.ts';
import { unpackBodies } from '../../broadphase/gpu/unpack-bodies.ts';
import { POSE_SIZE } from '../../convex/shapes/pose.ts';
import { InputError } from '../../errors.ts';
import { BufferPool } from '../../gpu/buffers.ts';
import { CALL_OPTIONS, requireApart, requireBuffer, requireEncoder } from '../../gpu/callers-buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { inTurnUnless } from '../../gpu/lend.ts';
import { Lifetime } from '../../gpu/lifetime.ts';
import { Recorder } from '../../gpu/recorder.ts';
import { WORD } from '../../gpu/words.ts';
import type { WebGpuBuffer, WebGpuCommandEncoder } from '../../platform/webgpu.ts';
import { checkedAbsent, checkedPoses } from '../bodies/check-bodies.ts';
import { requireInRange } from '../bodies/scene-scale.ts';
import type { PosedBodies } from '../cpu/host-stages.ts';
import { GpuContacts } from '../gpu/gpu-contacts.ts';
import { roomFor } from '../gpu/growing-contacts.ts';
import { ContactHeader, type GrownList } from '../gpu/header.ts';
import { readHeader } from '../gpu/read-contacts.ts';
import { firstCollidersOf } from '../gpu/records.ts';
import { planePairsOnHost, readRows, settleRows } from '../gpu/settle-rows.ts';
import { assembleContacts } from '../list/assemble.ts';
import type { ContactRows } from '../list/contact-sink.ts';
import { disassembleContacts, requireContacts } from '../list/disassemble.ts';
import type { ContactEngine } from './contact-engine.ts';
import type { ContactsOnDevice, ContactsReadBack, PipelineOnDevice } from './on-device.ts';

const READ_BACK: Options<ContactsReadBack> = {
  ...{ places: 'checked', count: 'checked', needed: 'checked', pairs: 'number', open: 'checked' },
  ...{ short: 'checked', openContacts: 'checked', deepContacts: 'checked' },
  ...{ bodies: 'checked', parts: 'checked', kinds: 'checked', statuses: 'checked' },
  ...{ features: 'checked', triangles: 'checked', normals: 'checked', points: 'checked' },
  ...{ distances: 'checked', areas: 'checked' },
};

/** @param engine with the room that the caller asked for */
export async function openContactsOnDevice(
  device: Device,
  engine: ContactEngine,
  pipeline: PipelineOnDevice,
): Promise<ContactsOnDevice> {
  const { bodies, cell, table } = engine;
  const { colliders } = table;
  const contacts = await GpuContacts.create(device, engine);
  const pool = new BufferPool(device);
  const release = () => {
    contacts.destroy();
    pool.destroy();
    pipeline.letGo();
  };
  const life = new Lifetime({ device, name: 'this query on the device', release });
  const requireOpen = () => {
    pipeline.requireOpen();
    life.requireOpen();
  };
  const firsts = firstCollidersOf(colliders, bodies.count);
  const colliderOf = (body: number, part: number) => {
    const collider = firsts[body]! + part;
    if (colliders.bodies[collider] === body && colliders.parts[collider] === part) return collider;
    throw new InputError(`settle: found part ${part} of body ${body}, expected what read() gave`);
  };
  const onPlanes = planePairsOnHost(table, bodies);
  const atOrigin = new Float64Array(POSE_SIZE * bodies.count);
  const listOf = (rows: readonly ContactRows[]) => assembleContacts(rows, colliders, atOrigin);
  return {
    ...{ cell, contacts: contacts.records, header: contacts.header },
    get gpuBytes() {
      return contacts.bytes + pool.bytes;
    },
    encode(given: WebGpuCommandEncoder, inputs: { readonly bodies: WebGpuBuffer }): void {
      requireOpen();
      // Nothing is recorded before all is checked: the caller's encoder stays usable.
      const encoder = requireEncoder(given);
      requireOptions('encode', inputs, { bodies: 'checked' });
      const buffer = requireBuffer('bodies', inputs.bodies, { bytes: sizeOf(ContactBody) * bodies.count });
      requireApart({ contacts: contacts.records, header: contacts.header }, { bodies: buffer });
      const recorder = new Recorder(device, { encoder, label: 'contacts' });
      contacts.record(recorder, buffer);
      recorder.end();
    },
    packPoses(poses: Float32Array | Float64Array, absent?: Uint8Array): Uint32Array<ArrayBuffer> {
      const checked = checkedPoses(poses, bodies);
      requireInRange(checked, cell, bodies.names);
      return packBodies(checked, bodies.isStatic, cell, checkedAbsent(absent, bodies));
    },
    async read(options: { signal?: AbortSignal | undefined } = {}) {
      requireOptions('read', options, CALL_OPTIONS);
      // Readings share a buffer.
      return inTurnUnless(life, options.signal, async () => {
        requireOpen();
        const header = await readHeader(device, pool, contacts);
        const read = await readRows(device, pool, contacts, header, firsts);
        const short: GrownList[] = [];
        roomFor(header, short);
        const needed = header[ContactHeader.contacts]!;
        const pairs = header[ContactHeader.pairs]! + header[ContactHeader.planePairs]!;
        const open = Uint32Array.from({ length: 2 * read.open.length }, (_, i) => {
          const collider = read.open[2 * (i >> 2) + (i & 1)]!;
          return (i & 2) === 0 ? colliders.bodies[collider]! : colliders.parts[collider]!;
        });
        return { ...listOf([read.rows]), needed, pairs, open, short };
      });
    },
    async settle(read: ContactsReadBack, options: { signal?: AbortSignal | undefined } = {}) {
      requireOpen();
      requireOptions('settle', options, CALL_OPTIONS);
      const posed = checkedRead(read, engine);
      const stop = life.signal(options.signal);
      stop.throwIfAborted();
      const open = Uint32Array.from({ length: read.open.length / 2 }, (_, i) => {
        const at = 4 * (i >> 1) + (i & 1);
        return colliderOf(read.open[at]!, read.open[at + 2]!);
      });
      requireInOrder(open);
      const rows = disassembleContacts(read, colliderOf);
      return life.hold(() =>
        pipeline.inTurn(stop, async (signal) => {
          const found = await settleRows(engine, onPlanes, { rows, open }, posed, { signal });
          const list = listOf(found.rows);
          const none = new Uint32Array(0);
          return { ...list, needed: list.count, pairs: read.pairs, open: none, short: [] };
        }),
      );
    },
    destroy: () => life.destroy(),
  };
}

/** @throws InputError unless pairs of colliders are in order, and each once */
function requireInOrder(pairs: Uint32Array): void {
  for (let k = 0; k < pairs.length; k += 2) {
    const [a, b] = [pairs[k]!, pairs[k + 1]!];
    const isBehind = k === 0 || (pairs[k - 2]! - a || pairs[k - 1]! - b) < 0;
    if (a < b && isBehind) continue;
    throw new InputError(`open: pair ${k / 2} is not behind the one before, expected what read() gave`);
  }
}

/**
 * Poses of the bodies whose contacts were read, and which of them are absent.
 *
 * @throws InputError for what `read` did not give, lists that ran over, or bodies that `detect` does not take
 */
function checkedRead(read: ContactsReadBack, { bodies, cell }: ContactEngine): PosedBodies {
  requireOptions('settle', read, READ_BACK);
  requireContacts('settle', read, 'what read() gave');
  const { count, needed, open, places, short } = read;
  requireArray('open', open, [Uint32Array], 'bodies and parts of pairs');
  if (open.length % 4 !== 0)
    throw new InputError(`open: ${open.length} numbers found, expected four per pair`);
  if (!Array.isArray(short))
    throw new InputError(`short: found ${told(short)}, expected the lists that ran over`);
  if (short.length > 0) {
    const lists = short.map((one: Partial<GrownList> | null) => one?.list).join(' and ');
    throw new InputError(`short: found ${lists}, which ran over, expected room for all`);
  }
  if (!(needed <= count))
    throw new InputError(`needed: found ${told(needed)} beside ${count} contacts, expected room for all`);
  requireArray('places', places, [Uint32Array], '12 words per body');
  const words = (sizeOf(ContactBody) / WORD) * bodies.count;
  if (places.length !== words) {
    throw new InputError(
      `places: ${places.length} numbers found, expected ${words} of ${bodies.count} bodies`,
    );
  }
  const { poses, absent } = unpackBodies(places, cell);
  const checked = checkedPoses(poses, bodies);
  requireInRange(checked, cell, bodies.names);
  return { poses: checked, absent: checkedAbsent(absent, bodies) };
}
