/** The yardstick of the machine, as the JSON of this folder's benchmarks has it. */
import { measureCopyRate } from '../src/bench/copy.ts';
import type { Device } from '../src/gpu/device.ts';

export interface Bandwidth {
  /** Bytes of the buffer that was copied. */
  readonly bytes: number;
  /** Read and written together, 10^9 bytes per second, the best of three. */
  readonly gigabytesPerSecond: number;
}

export async function measureBandwidth(device: Device, bytes?: number): Promise<Bandwidth> {
  const rate = await measureCopyRate(device, bytes === undefined ? {} : { bytes });
  return { bytes: rate.bytes, gigabytesPerSecond: Math.max(...rate.bytesPerSecond) / 1e9 };
}
