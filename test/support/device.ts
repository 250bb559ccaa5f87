import { beforeAll } from 'vitest';
import { type Device, openDevice } from '../../src/gpu/device.ts';

/** Open until the process ends: test files that share a process share the kernels that were compiled on it. */
const opened = new Map<'auto' | 'software', Promise<Device>>();

/** One device for all tests of a process: hardware if there is some, otherwise the software adapter. */
export async function sharedDevice(adapter: 'auto' | 'software' = 'auto'): Promise<Device> {
  if (adapter === 'software') {
    const device = await sharedDevice();
    if (device.adapter.software) return device;
  }
  // What a file has ended is not for the next one.
  if ((await opened.get(adapter))?.closed !== false) opened.set(adapter, openDevice({ adapter }));
  return opened.get(adapter)!;
}

/** `sharedDevice()` for all tests of a file. */
export function useDevice(): () => Device {
  let device: Device | undefined;
  beforeAll(async () => {
    device = await sharedDevice();
  });
  return () => device!;
}
