/** A pipeline for callers whose bodies are on the GPU. */
import { sizeOf } from 'typegpu/data';
import { requireOptions } from '../../arguments.ts';
import { ContactBody } from '../../broadphase/broad-phase-layout.ts';
import { packBodies } from '../../broadphase/gpu/tables.ts';
import { InputError } from '../../errors.ts';
import { requireApart, requireBuffer, requireEncoder } from '../../gpu/callers-buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { Recorder } from '../../gpu/recorder.ts';
import type { WebGpuBuffer, WebGpuCommandEncoder } from '../../platform/webgpu.ts';
import { checkedAbsent, checkedPoses } from '../bodies/check-bodies.ts';
import { requireInRange } from '../bodies/scene-scale.ts';
import { GpuContacts, type GpuContactsOptions } from './gpu-contacts.ts';

/** What of the pipeline's life it needs. */
export interface OnDeviceLife {
  requireOpen(): void;
  letGo(): void;
}

export async function openContactsOnDevice(device: Device, options: GpuContactsOptions, life: OnDeviceLife) {
  const { bodies, cell } = options;
  const contacts = await GpuContacts.create(device, options);
  let isOpen = true;
  return {
    ...{ cell, contacts: contacts.records, header: contacts.header, gpuBytes: contacts.bytes },
    encode(given: WebGpuCommandEncoder, inputs: { readonly bodies: WebGpuBuffer }): void {
      life.requireOpen();
      if (!isOpen) throw new InputError('encode: these contacts were destroyed; call onDevice again');
      // Nothing is recorded before all is checked: the caller's encoder stays usable.
      const encoder = requireEncoder(given);
      requireOptions('encode', inputs, { bodies: 'checked' });
      const buffer = requireBuffer('encode: bodies', inputs.bodies);
      const bytes = sizeOf(ContactBody) * bodies.count;
      if (buffer.size < bytes) {
        throw new InputError(
          `encode: bodies: a buffer of ${buffer.size} bytes found, expected ${bytes} or more`,
        );
      }
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
    destroy(): void {
      if (!isOpen) return;
      isOpen = false;
      contacts.destroy();
      life.letGo();
    },
  };
}
