/** GPU buffers: made with checks, labelled, counted, and given back. */
import type { WebGpuBuffer, WebGpuCommandEncoder } from '../platform/webgpu.ts';
import type { Device } from './device.ts';
import { requireBufferSize } from './limits.ts';

/** Bytes copied at once out of shared memory. */
const COPY_PIECE = 16 << 20;

/** A set of buffers that live and go together, with the bytes they hold. */
export class BufferPool {
  readonly #device: Device;
  readonly #buffers = new Map<string, GPUBuffer>();
  readonly #forget: () => void;
  #bytes = 0;
  #peak = 0;

  constructor(device: Device) {
    this.#device = device;
    this.#forget = device.own(this);
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Most bytes ever held at once. */
  get peakBytes(): number {
    return this.#peak;
  }

  /**
   * A buffer of that label with at least `size` bytes: the one there is if it is large enough, else a new one in its
   * place. Contents are undefined.
   *
   * @throws DeviceError `limits` if the device does not allow such a buffer.
   */
  reserve(label: string, size: number, usage: number): WebGpuBuffer {
    // A binding holds at least one element of its table, the largest of which, a matrix, has 64 bytes.
    const bytes = Math.max(64, Math.ceil(size / 16) * 16);
    const existing = this.#buffers.get(label);
    if (existing !== undefined && existing.size >= bytes) return existing;
    const { limits, handle } = this.#device;
    requireBufferSize(limits, label, bytes, (usage & GPUBufferUsage.STORAGE) !== 0);
    this.release(label);
    const buffer = handle.createBuffer({ label, size: bytes, usage });
    this.#buffers.set(label, buffer);
    this.#bytes += bytes;
    this.#peak = Math.max(this.#peak, this.#bytes);
    return buffer;
  }

  /** A storage buffer filled with `data`. */
  upload(label: string, data: ArrayBufferView<ArrayBuffer>): WebGpuBuffer {
    const buffer = this.reserve(label, data.byteLength, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST);
    writeBuffer(this.#device, buffer, data);
    return buffer;
  }

  release(label: string): void {
    const buffer = this.#buffers.get(label);
    if (buffer === undefined) return;
    this.#buffers.delete(label);
    this.#bytes -= buffer.size;
    buffer.destroy();
  }

  destroy(): void {
    for (const label of [...this.#buffers.keys()]) this.release(label);
    this.#forget();
  }
}

/** Writes into a buffer from a byte on: the one place from which the library writes. Threads may share the memory. */
export function writeBuffer(
  device: Device,
  buffer: WebGpuBuffer,
  { buffer: memory, byteOffset, byteLength }: ArrayBufferView,
  offset = 0,
): void {
  const { queue } = device.handle;
  // In Deno, wgpu ends the process where there is nothing to write.
  if (byteLength === 0) return;
  if (memory instanceof ArrayBuffer) {
    queue.writeBuffer(buffer, offset, memory, byteOffset, byteLength);
    return;
  }
  // Dawn in Node takes no memory that threads share: it goes through a copy, piece by piece.
  const bytes = new Uint8Array(memory, byteOffset, byteLength);
  for (let at = 0; at < bytes.length; at += COPY_PIECE) {
    queue.writeBuffer(buffer, offset + at, bytes.slice(at, at + COPY_PIECE));
  }
}

/** What to copy to the host: the first `bytes` (a multiple of 4) of a buffer. */
export interface ReadBackSource {
  readonly buffer: WebGpuBuffer;
  readonly bytes: number;
}

/** Copies on their way to the host: encoded, not read yet. */
export interface StagedCopies {
  readonly staging: WebGpuBuffer;
  readonly bytes: readonly number[];
}

/** Encodes copies of buffers to where the host can read them, all in one; `readStaged` waits for them. */
export function stageCopies(
  pool: BufferPool,
  encoder: WebGpuCommandEncoder,
  sources: readonly ReadBackSource[],
): StagedCopies {
  const bytes = sources.map((source) => source.bytes);
  const staging = pool.reserve(
    'read back',
    totalOf(bytes),
    GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
  );
  let offset = 0;
  for (const source of sources) {
    encoder.copyBufferToBuffer(source.buffer, 0, staging, offset, source.bytes);
    offset += source.bytes;
  }
  return { staging, bytes };
}

/**
 * The bytes of staged copies, once these are made. Submit their commands first. The mapped memory is read in the same
 * step in which it arrives: a device that is destroyed a step later takes the memory along.
 */
export function readStaged(device: Device, { staging, bytes }: StagedCopies): Promise<Uint8Array[]> {
  const size = totalOf(bytes);
  const mapping = staging.mapAsync(GPUMapMode.READ, 0, size).then(() => {
    const mapped = new Uint8Array(staging.getMappedRange(0, size)).slice();
    staging.unmap();
    let offset = 0;
    return bytes.map((part) => mapped.subarray(offset, (offset += part)));
  });
  return device.orLost(mapping);
}

function totalOf(bytes: readonly number[]): number {
  return bytes.reduce((sum, size) => sum + size, 0);
}

/** Copies buffers to the host, all in one mapping. */
export async function readBack(
  device: Device,
  pool: BufferPool,
  sources: readonly ReadBackSource[],
): Promise<Uint8Array[]> {
  const staged = await device.checked('reading back', () => {
    const encoder = device.handle.createCommandEncoder({ label: 'read back' });
    const copies = stageCopies(pool, encoder, sources);
    device.handle.queue.submit([encoder.finish()]);
    return copies;
  });
  return readStaged(device, staged);
}

/** Bytes that were read back, as words: a copy. */
export function wordsOf(bytes: Uint8Array): Uint32Array<ArrayBuffer> {
  return new Uint32Array(bytes.slice().buffer as ArrayBuffer);
}
