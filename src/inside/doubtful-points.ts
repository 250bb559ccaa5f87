/** Flags and the list of points that a kernel could not certify, on their way back from the GPU. */
import * as d from 'typegpu/data';
import {
  type BufferPool,
  readBack,
  readStaged,
  type StagedCopies,
  stageCopies,
  wordsOf,
} from '../gpu/buffers.ts';
import type { Device } from '../gpu/device.ts';
import { struct } from '../gpu/struct.ts';
import { LIST_HEADER, ListWord } from './classification.ts';

/** The list of doubtful points: words of `ListWord`, and the numbers of the doubtful ones. */
export const DoubtfulPoints = (n: number) =>
  struct('DoubtfulPoints', {
    ...{ needed: d.u32, room: d.u32, count: d.atomic(d.u32) },
    numbers: d.arrayOf(d.u32, n),
  });

/** Bytes of a list with room for so many points. */
export function listBytes(points: number): number {
  return 4 * (LIST_HEADER + points);
}

/** Doubtful points that come back with the flags; more take a second copy. */
export const LIST_WITH_FLAGS = 1024 - LIST_HEADER;

/** Flags are a byte each, four to a word. */
export interface FlagBuffers {
  readonly packed: GPUBuffer;
  readonly doubtful: GPUBuffer;
}

/** Buffers for the flags of `capacity` points (a multiple of 4), and for their list, whose header is not cleared. */
export function reserveFlags(work: BufferPool, capacity: number): FlagBuffers {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  return {
    packed: work.reserve('packed flags', capacity, usage),
    doubtful: work.reserve('list of doubtful points', listBytes(capacity), usage | GPUBufferUsage.COPY_DST),
  };
}

export interface FlagsOnTheWay {
  readonly copies: StagedCopies;
  readonly buffers: FlagBuffers;
}

/**
 * Encodes the copies of flags and doubtful points of a piece of `capacity` points, behind the kernels that make them.
 *
 * @param listed doubtful points that come with the flags; more than that take a second copy
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
    { buffer: buffers.doubtful, bytes: listBytes(Math.min(capacity, listed)) },
  ]);
  return { copies, buffers };
}

/**
 * Flags (one byte each) and doubtful points, from what `readStaged` read of them; many of the latter take one more
 * wait.
 */
export async function takeFlags(
  device: Device,
  work: BufferPool,
  buffers: FlagBuffers,
  [flags, list]: readonly Uint8Array[],
): Promise<{ flags: Uint8Array; doubtful: Uint32Array }> {
  let words = wordsOf(list!);
  const found = words[ListWord.listed]!;
  if (found > words.length - LIST_HEADER) {
    const [all] = await readBack(device, work, [{ buffer: buffers.doubtful, bytes: listBytes(found) }]);
    words = wordsOf(all!);
  }
  return { flags: flags!, doubtful: words.subarray(LIST_HEADER, LIST_HEADER + found) };
}

/** Reads back the flags and the doubtful points of `capacity` points, when the kernels are done. */
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
