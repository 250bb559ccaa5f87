/** Kernels with their buffers. Bind groups are made once per set of buffers, however often that is asked for. */
import { type AnyWgslData, sizeOf } from 'typegpu/data';
import type { Device } from './device.ts';
import type { BufferPart, Kernel, KernelBuffers, LayoutEntries } from './kernel.ts';

/** A kernel and the buffers that it runs on. */
export interface BoundKernel<Entries extends LayoutEntries = LayoutEntries> {
  readonly kernel: Kernel<Entries>;
  /** The bind group, with the buffer that holds the value of `params` where the layout has that. */
  group(params?: GPUBuffer): GPUBindGroup;
}

/** What was bound to one kernel: a level per binding, so that an entry ends with the first of its buffers. */
interface Level {
  readonly next: WeakMap<GPUBuffer, Level>;
  /** By the offsets and sizes of parts; at the last level only. */
  readonly bound: Map<string, BoundKernel<never>>;
}

const levels = new WeakMap<Kernel<never>, Level>();

function levelOf<Key extends object>(map: WeakMap<Key, Level>, key: Key): Level {
  let level = map.get(key);
  if (level === undefined) map.set(key, (level = { next: new WeakMap(), bound: new Map() }));
  return level;
}

/**
 * A kernel with its buffers: one per name of its layout but for `params`. The same buffers give the same object.
 *
 * @throws Error if a buffer of the layout is missing, which the types do not let pass
 */
export function bind<Entries extends LayoutEntries>(
  device: Device,
  kernel: Kernel<Entries>,
  buffers: KernelBuffers<Entries>,
): BoundKernel<Entries> {
  const parts = partsOf(kernel, buffers);
  let level = levelOf(levels, kernel as unknown as Kernel<never>);
  let cut = '';
  for (const part of parts) {
    if (part === undefined) continue;
    level = levelOf(level.next, part.buffer);
    cut += `${part.offset ?? 0}:${part.size ?? ''} `;
  }
  const found = level.bound.get(cut) as BoundKernel<Entries> | undefined;
  if (found !== undefined) return found;
  const made = bindParts(device, kernel, parts);
  level.bound.set(cut, made as unknown as BoundKernel<never>);
  return made;
}

/** A part per binding of the layout, undefined for `params`. */
function partsOf<Entries extends LayoutEntries>(
  kernel: Kernel<Entries>,
  buffers: KernelBuffers<Entries>,
): (GPUBufferBinding | undefined)[] {
  const given = buffers as Readonly<Record<string, BufferPart | undefined>>;
  return Object.entries(kernel.layout.entries).map(([name, entry]) => {
    if (entry && 'uniform' in entry) return undefined;
    const part = given[name];
    if (part === undefined) throw new Error(`${kernel.label}: no buffer for "${name}"`);
    return 'buffer' in part ? part : { buffer: part };
  });
}

function bindParts<Entries extends LayoutEntries>(
  device: Device,
  kernel: Kernel<Entries>,
  parts: readonly (GPUBufferBinding | undefined)[],
): BoundKernel<Entries> {
  const create = (params?: GPUBufferBinding) =>
    device.handle.createBindGroup({
      label: kernel.label,
      layout: kernel.groupLayout,
      entries: parts.map((part, binding) => ({ binding, resource: part ?? params! })),
    });
  const { params: entry } = kernel.layout.entries as LayoutEntries;
  if (!entry || !('uniform' in entry)) {
    const group = create();
    return { kernel, group: () => group };
  }
  const size = sizeOf(entry.uniform as AnyWgslData);
  const groups = new WeakMap<GPUBuffer, GPUBindGroup>();
  return {
    kernel,
    group(buffer) {
      let group = groups.get(buffer!);
      if (group === undefined) groups.set(buffer!, (group = create({ buffer: buffer!, size })));
      return group;
    },
  };
}
