/** A pipeline for callers whose bodies are on the GPU. */
import { sizeOf } from 'typegpu/data';
import { requireOptions } from '../../arguments.ts';
import { ContactBody } from '../../broadphase/broad-phase-layout.ts';
import { packBodies } from '../../broadphase/gpu/tables.ts';
import { POSE_SIZE } from '../../convex/shapes/pose.ts';
import { BufferPool } from '../../gpu/buffers.ts';
import { CALL_OPTIONS, requireApart, requireBuffer, requireEncoder } from '../../gpu/callers-buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { type Lent, Lifetime } from '../../gpu/lifetime.ts';
import { Recorder } from '../../gpu/recorder.ts';
import type { WebGpuBuffer, WebGpuCommandEncoder } from '../../platform/webgpu.ts';
import { checkedAbsent, checkedPoses } from '../bodies/check-bodies.ts';
import { requireInRange } from '../bodies/scene-scale.ts';
import { GpuContacts } from '../gpu/gpu-contacts.ts';
import { roomFor } from '../gpu/growing-contacts.ts';
import { ContactHeader, type GrownList } from '../gpu/header.ts';
import { readContacts } from '../gpu/read-contacts.ts';
import { assembleContacts } from '../list/assemble.ts';
import type { ContactEngine } from './contact-engine.ts';
import type { ContactsOnDevice } from './on-device.ts';

/** @param engine with the room that the caller asked for */
export async function openContactsOnDevice(
  device: Device,
  engine: ContactEngine,
  pipeline: Lent,
): Promise<ContactsOnDevice> {
  const { bodies, cell, table } = engine;
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
      return life.inTurnUnless(options.signal, async () => {
        requireOpen();
        const { header, rows, pairs } = await readContacts(device, pool, contacts, engine);
        const short: GrownList[] = [];
        roomFor(header, short);
        const atOrigin = new Float64Array(POSE_SIZE * bodies.count);
        const needed = header[ContactHeader.contacts]!;
        return { ...assembleContacts(rows, table.colliders, atOrigin), needed, pairs, short };
      });
    },
    destroy: () => life.destroy(),
  };
}
