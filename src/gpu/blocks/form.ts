/** The forms of the building blocks: one for software adapters, two for hardware. */
import type { TgpuBindGroupLayout } from 'typegpu';
import addLanesCode from '../../../shaders/common/add-lanes.wgsl?raw';
import flagAtCode from '../../../shaders/common/flag-at.wgsl?raw';
import groupScanMemoryCode from '../../../shaders/common/group-scan-memory.wgsl?raw';
import groupScanSubgroupsCode from '../../../shaders/common/group-scan-subgroups.wgsl?raw';
import itemCountCode from '../../../shaders/common/item-count.wgsl?raw';
import laneSumCode from '../../../shaders/common/lane-sum.wgsl?raw';
import segmentOfCode from '../../../shaders/common/segment-of.wgsl?raw';
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

/** What kernels of building blocks may name in `// requires` lines. */
export const blockParts: readonly ShaderSource[] = [
  { name: 'common/item-count.wgsl', code: itemCountCode },
  { name: 'common/flag-at.wgsl', code: flagAtCode },
  { name: 'common/lane-sum.wgsl', code: laneSumCode },
  { name: 'common/add-lanes.wgsl', code: addLanesCode },
  { name: 'common/segment-of.wgsl', code: segmentOfCode },
];

/** How threads of a workgroup scan; what needs that requires it by this name, whatever the form. */
const GROUP_SCAN = 'common/group-scan.wgsl';

/** A kernel in all forms. The two for hardware have the same text, and another part to scan by. */
export function sourcesOf<Entries extends LayoutEntries>(
  file: string,
  texts: { readonly serial: string; readonly workgroup: string },
  layout: TgpuBindGroupLayout<Entries>,
): Readonly<Record<Form, KernelSource<Entries>>> {
  const source = (form: Form, code: string, scan: string) =>
    kernelSource({ name: `gpu/${form}/${file}`, code }, layout, [
      ...blockParts,
      { name: GROUP_SCAN, code: scan },
    ]);
  return {
    serial: source('serial', texts.serial, groupScanMemoryCode),
    workgroup: source('workgroup', texts.workgroup, groupScanMemoryCode),
    subgroups: source('subgroups', texts.workgroup, groupScanSubgroupsCode),
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

/** The extent of a kernel that works on chunks. */
export function extentOf(form: Form, chunks: number): { threads: number } | { groups: number } {
  return form === 'serial' ? { threads: chunks } : { groups: chunks };
}
