/** How many items a building block works on: a number, or what a buffer holds when the GPU gets there. */
import * as d from 'typegpu/data';
import { InputError } from '../../errors.ts';
import type { Device } from '../device.ts';
import { type BufferCount, countWindow } from '../indirect.ts';

/** A number of items: known to the host, or a u32 in a buffer. A count above the room counts as the room. */
export type ItemCount = number | BufferCount;

/** Fields of parameters that `common/item-count.wgsl` reads. */
export const countParams = {
  /** Words before the count in `counted`; `NO_COUNT`: it is `most`. */
  countAt: d.u32,
  /** The count, or the most that is taken of the one in `counted`. */
  most: d.u32,
  chunks: d.u32,
} as const;

/** The binding with the count. */
export const countBinding = { counted: { storage: d.arrayOf(d.u32) } } as const;

/** `countAt` where the host knows the count. */
const NO_COUNT = 2 ** 32 - 1;

const unused = new WeakMap<Device, GPUBuffer>();

/** What is bound and written for a count. @throws InputError for a number above `most` */
export function countOf(
  device: Device,
  count: ItemCount,
  most: number,
): { counted: GPUBufferBinding; countAt: number; most: number } {
  if (typeof count !== 'number') {
    const { counts, countAt } = countWindow(device, count);
    return { counted: counts, countAt, most };
  }
  if (count > most) throw new InputError(`${count} items: expected at most ${most}, for which room was made`);
  let buffer = unused.get(device);
  if (buffer === undefined) {
    buffer = device.handle.createBuffer({ label: 'no count', size: 16, usage: GPUBufferUsage.STORAGE });
    unused.set(device, buffer);
    device.own(buffer);
  }
  return { counted: { buffer }, countAt: NO_COUNT, most: count };
}
