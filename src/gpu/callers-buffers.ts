/** Buffers of callers, whose points and pairs are on the GPU already: checks of what is passed. */
import { requireOptions, told } from '../arguments.ts';
import { InputError } from '../errors.ts';
import type { CountOnDevice } from './count-on-device.ts';

const USAGES = ['STORAGE', 'COPY_DST'] as const;

/** @throws InputError for what is no buffer, or one that lacks a usage. */
export function requireBuffer(name: string, found: unknown, usage = GPUBufferUsage.STORAGE): GPUBuffer {
  if (!(found instanceof GPUBuffer)) {
    throw new InputError(`${name}: found ${told(found)}, expected a GPUBuffer`);
  }
  const missing = USAGES.filter((one) => (usage & ~found.usage & GPUBufferUsage[one]) !== 0);
  if (missing.length === 0) return found;
  throw new InputError(
    `${name}: found a buffer without the usage ${missing.join(' and ')}, expected one with it`,
  );
}

/** @throws InputError for what is no count in a buffer. */
export function requireCount(found: unknown): { buffer: GPUBuffer; offset: number } {
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
