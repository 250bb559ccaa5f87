/** The forms of the building blocks: one for software adapters, two for hardware. */
import groupScanMemoryWgsl from '../../../shaders/common/group-scan-memory.wgsl';
import groupScanSubgroupsWgsl from '../../../shaders/common/group-scan-subgroups.wgsl';
import type { Device } from '../device.ts';
import { type KernelSource, kernelSource, type LayoutEntries } from '../kernel.ts';
import type { ShaderSource } from '../shader.ts';

/**
 * `serial`: a thread works through its items alone, without barriers, as a software adapter pays for each. `workgroup`:
 * the threads of a workgroup share memory. `subgroups`: the same, but subgroups add up first. All give the same
 * results.
 */
export const FORMS = ['serial', 'workgroup', 'subgroups'] as const;
export type Form = (typeof FORMS)[number];

/** The form for a device: by its adapter, and by whether it has the feature `subgroups`. */
export function formOf(device: Device): Form {
  if (device.adapter.software) return 'serial';
  return device.features.has('subgroups') ? 'subgroups' : 'workgroup';
}

/** How threads of a workgroup scan; what needs that requires it by this name, whatever the form. */
const GROUP_SCAN = 'common/group-scan.wgsl';

/** A kernel in all forms. The two for hardware have the same text, and another part to scan by. */
export function sourcesOf<Entries extends LayoutEntries>(
  files: { readonly serial: ShaderSource; readonly workgroup: ShaderSource },
  bindings: Entries,
): Readonly<Record<Form, KernelSource<Entries>>> {
  const { serial, workgroup } = files;
  const inMemory = { parts: { [GROUP_SCAN]: groupScanMemoryWgsl } };
  return {
    serial: kernelSource(serial, bindings, inMemory),
    workgroup: kernelSource(workgroup, bindings, inMemory),
    subgroups: kernelSource(workgroup, bindings, {
      name: workgroup.name.replace('/workgroup/', '/subgroups/'),
      parts: { [GROUP_SCAN]: groupScanSubgroupsWgsl },
    }),
  };
}

/**
 * The most chunks, and how many items make another chunk worth its while. A single thread takes as much as a software
 * adapter does without effort. A workgroup takes whole tiles of 4,096 items; 512 workgroups are a few for each core of
 * the largest GPUs.
 */
const CHUNKS: Readonly<Record<Form, { readonly most: number; readonly items: number }>> = {
  serial: { most: 1024, items: 1024 },
  workgroup: { most: 512, items: 4096 },
  subgroups: { most: 512, items: 4096 },
};

/** Chunks for so many items. Each is a thread's work in the serial form, a workgroup's in the others. */
export function chunksFor(form: Form, items: number): number {
  const { most, items: perChunk } = CHUNKS[form];
  return Math.min(most, Math.max(1, Math.ceil(items / perChunk)));
}

/**
 * Threads of kernels that go from item to item, on a software adapter. There each thread takes the time of all that its
 * kernel may do, whatever it has to do, as it runs beside others. Few pass over what there is nothing to do for, and
 * still each core has some.
 */
const SERIAL_THREADS = 1024;

/** The extent of a kernel that goes from item to item (`common/from-item-to-item.wgsl`), for at most so many. */
export function threadsOver(device: Device, items: number): { threads: number } {
  return { threads: formOf(device) === 'serial' ? Math.min(items, SERIAL_THREADS) : items };
}

/** The extent of a kernel that works on chunks. */
export function extentOf(form: Form, chunks: number): { threads: number } | { groups: number } {
  return form === 'serial' ? { threads: chunks } : { groups: chunks };
}
