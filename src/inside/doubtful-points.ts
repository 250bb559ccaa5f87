/** Flags and the list of points that a kernel could not certify, on their way back from the GPU. */
import * as d from 'typegpu/data';
import { type BufferPool, readBack } from '../gpu/buffers.ts';
import type { Device } from '../gpu/device.ts';

/** How many points are uncertain, and which. */
export const Uncertain = (n: number) =>
  d.struct({ count: d.atomic(d.u32), points: d.arrayOf(d.u32, n) }).$name('Uncertain');

/** Uncertain points that come back with the flags; more take a second copy. */
const LIST_WITH_FLAGS = 1023;

/** Flags are four to a word, the list is a count and that many numbers. */
export interface FlagBuffers {
  readonly packed: GPUBuffer;
  readonly uncertain: GPUBuffer;
}

/** Buffers for the flags of `capacity` points (a multiple of 4), with an empty list. */
export function reserveFlags(device: Device, work: BufferPool, capacity: number): FlagBuffers {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  const packed = work.reserve('packed flags', capacity, usage);
  const uncertain = work.reserve('uncertain points', 4 * (1 + capacity), usage | GPUBufferUsage.COPY_DST);
  device.handle.queue.writeBuffer(uncertain, 0, new Uint32Array([0]));
  return { packed, uncertain };
}

/** Reads back the flags (one byte each) and the uncertain points of a chunk of `capacity` points. */
export async function readFlags(
  device: Device,
  work: BufferPool,
  buffers: FlagBuffers,
  capacity: number,
): Promise<{ flags: Uint8Array; doubtful: Uint32Array }> {
  const listed = Math.min(capacity, LIST_WITH_FLAGS);
  const [flags, list] = await readBack(device, work, [
    { buffer: buffers.packed, bytes: capacity },
    { buffer: buffers.uncertain, bytes: 4 * (1 + listed) },
  ]);
  let words = new Uint32Array(list!.buffer, list!.byteOffset, 1 + listed);
  const found = words[0]!;
  if (found > listed) {
    const [all] = await readBack(device, work, [{ buffer: buffers.uncertain, bytes: 4 * (1 + found) }]);
    words = new Uint32Array(all!.buffer, all!.byteOffset, 1 + found);
  }
  return { flags: flags!, doubtful: words.subarray(1, 1 + found) };
}
