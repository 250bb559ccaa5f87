/** Buffers of callers, whose points and pairs are on the GPU already: checks of what is passed. */
import { type Options, requireOptions, told } from '../arguments.ts';
import { InputError } from '../errors.ts';
import type { CountOnDevice } from './count-on-device.ts';
import type { Device } from './device.ts';

/** Options of calls that read back, or settle what is open. */
export const CALL_OPTIONS: Options<{ signal?: AbortSignal | undefined }> = { signal: 'signal' };

const USAGES = ['STORAGE', 'COPY_DST'] as const;

/** @throws InputError for what is no buffer, or one that lacks a usage or is too small. */
export function requireBuffer(
  name: string,
  found: unknown,
  { bytes = 0, usage = GPUBufferUsage.STORAGE } = {},
): GPUBuffer {
  if (!(found instanceof GPUBuffer)) {
    throw new InputError(`${name}: found ${told(found)}, expected a GPUBuffer`);
  }
  const missing = USAGES.filter((one) => (usage & ~found.usage & GPUBufferUsage[one]) !== 0);
  if (missing.length > 0) {
    throw new InputError(
      `${name}: found a buffer without the usage ${missing.join(' and ')}, expected one with it`,
    );
  }
  if (found.size >= bytes) return found;
  throw new InputError(`${name}: found a buffer of ${found.size} bytes, expected at least ${bytes}`);
}

/** @throws InputError for what is no command encoder. Without this check nothing would be recorded, and nobody told. */
export function requireEncoder(found: unknown): GPUCommandEncoder {
  if (found instanceof GPUCommandEncoder) return found;
  throw new InputError(`encode: found ${told(found)}, expected a GPUCommandEncoder`);
}

/** The words of a caller's buffer that kernels use: it may be larger than what can be bound, and end within a word. */
export function usedPart(device: Device, buffer: GPUBuffer, most: number): GPUBufferBinding {
  // Bindings have at least one element of their table.
  const bytes = Math.min(buffer.size, Math.max(64, most), device.limits.maxStorageBufferBindingSize);
  return { buffer, size: bytes - (bytes % 4) };
}

/** @throws InputError where a buffer that kernels write is also another one of a call. */
export function requireApart(
  written: Readonly<Record<string, GPUBuffer>>,
  read: Readonly<Record<string, GPUBuffer>>,
): void {
  const all = Object.entries({ ...written, ...read });
  for (const [name, buffer] of Object.entries(written)) {
    const other = all.find(([otherName, one]) => one === buffer && otherName !== name);
    if (other === undefined) continue;
    throw new InputError(
      `${name} and ${other[0]}: found the same buffer, expected two, since kernels write ${name}`,
    );
  }
}

/** @throws InputError for what is no count in a buffer. */
export function requireCount(found: unknown): { buffer: GPUBuffer; offset: number } {
  if (typeof found !== 'object' || found === null || found instanceof GPUBuffer) {
    throw new InputError(`count: found ${told(found)}, expected a number or { buffer, offset }`);
  }
  requireOptions('count', found, { buffer: 'checked', offset: 'number' });
  const { buffer: given, offset = 0 } = found as CountOnDevice;
  const buffer = requireBuffer('count', given);
  if (Number.isInteger(offset) && offset >= 0 && offset % 4 === 0 && offset + 4 <= buffer.size) {
    return { buffer, offset };
  }
  throw new InputError(
    `count: the offset is ${told(offset)}, expected a multiple of 4 up to ${buffer.size - 4}`,
  );
}
