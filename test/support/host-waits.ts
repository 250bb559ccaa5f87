/** Counts how often the host waits for the GPU, and a device that is taken for hardware. */
import { vi } from 'vitest';
import { Device } from '../../src/gpu/device.ts';

/** What the host waited for. */
export interface HostWaits {
  /** Waits for the queue to be empty. */
  readonly queue: number;
  /** Buffers mapped to be read. */
  readonly mappings: number;
}

/** Runs work and counts its waits, by the calls of WebGPU itself: nobody can wait without one of them. */
export async function countHostWaits<T>(
  device: Device,
  work: () => Promise<T>,
): Promise<{ result: T; waits: HostWaits }> {
  const queue = vi.spyOn(device.handle.queue, 'onSubmittedWorkDone');
  const mappings = vi.spyOn(GPUBuffer.prototype, 'mapAsync');
  try {
    const result = await work();
    return { result, waits: { queue: queue.mock.calls.length, mappings: mappings.mock.calls.length } };
  } finally {
    queue.mockRestore();
    mappings.mockRestore();
  }
}

/**
 * A device that takes its adapter for hardware, whatever it is: work is not cut into slices, and kernels have the forms
 * for hardware. It shares the WebGPU device with the one it is made of, which has to be destroyed last.
 */
export function takenForHardware(device: Device): Device {
  return new Device(device.handle, { ...device.adapter, software: false });
}

/**
 * A device with other limits, as far as the library looks at them: what it does beyond a limit is seen with little
 * work.
 */
export function withLimits(
  device: Device,
  limits: Partial<Record<keyof GPUSupportedLimits, number>>,
): Device {
  const limited = new Device(device.handle, device.adapter);
  const all = new Proxy(device.limits, {
    get: (target, name) => limits[name as keyof GPUSupportedLimits] ?? Reflect.get(target, name, target),
  });
  Object.defineProperty(limited, 'limits', { value: all });
  return limited;
}
