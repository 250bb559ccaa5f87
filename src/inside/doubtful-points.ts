/** Flags and the list of points that a kernel could not certify, on their way back from the GPU. */
import * as d from 'typegpu/data';
import { type BufferPool, readBack, readStaged, type StagedCopies, stageCopies } from '../gpu/buffers.ts';
import type { Device } from '../gpu/device.ts';

/** How many points are uncertain, and which. */
export const Uncertain = (n: number) =>
  d.struct({ count: d.atomic(d.u32), points: d.arrayOf(d.u32, n) }).$name('Uncertain');

/** Uncertain points that come back with the flags; more take a second copy. */
export const LIST_WITH_FLAGS = 1023;

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

export interface FlagsOnTheWay {
  readonly copies: StagedCopies;
  readonly buffers: FlagBuffers;
}

/**
 * Encodes the copies of flags and uncertain points of a chunk of `capacity` points, behind the kernels that make them.
 *
 * @param listed uncertain points that come with the flags; more than that take a second copy
 */
export function stageFlags(
  work: BufferPool,
  encoder: GPUCommandEncoder,
  buffers: FlagBuffers,
  capacity: number,
  listed = LIST_WITH_FLAGS,
): FlagsOnTheWay {
  const copies = stageCopies(work, encoder, [
    { buffer: buffers.packed, bytes: capacity },
    { buffer: buffers.uncertain, bytes: 4 * (1 + Math.min(capacity, listed)) },
  ]);
  return { copies, buffers };
}

/** Flags (one byte each) and uncertain points, from what `readStaged` read of them; many of the latter take one more wait. */
export async function takeFlags(
  device: Device,
  work: BufferPool,
  buffers: FlagBuffers,
  [flags, list]: readonly Uint8Array[],
): Promise<{ flags: Uint8Array; doubtful: Uint32Array }> {
  let words = wordsOf(list!);
  const found = words[0]!;
  if (found > words.length - 1) {
    const [all] = await readBack(device, work, [{ buffer: buffers.uncertain, bytes: 4 * (1 + found) }]);
    words = wordsOf(all!);
  }
  return { flags: flags!, doubtful: words.subarray(1, 1 + found) };
}

const wordsOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new Uint32Array(buffer, byteOffset, byteLength / 4);

/** Reads back the flags and the uncertain points of a chunk of `capacity` points, when the kernels are done. */
export async function readFlags(
  device: Device,
  work: BufferPool,
  buffers: FlagBuffers,
  capacity: number,
): Promise<{ flags: Uint8Array; doubtful: Uint32Array }> {
  const staged = await device.checked('reading back', () => {
    const encoder = device.handle.createCommandEncoder({ label: 'read back' });
    const flags = stageFlags(work, encoder, buffers, capacity);
    device.handle.queue.submit([encoder.finish()]);
    return flags;
  });
  return takeFlags(device, work, buffers, await readStaged(device, staged.copies));
}
