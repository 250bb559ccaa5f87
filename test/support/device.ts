import { afterAll, beforeAll } from 'vitest';
import { type Device, openDevice } from '../../src/gpu/device.ts';

/** Open until the process ends: test files that share a process share the kernels that were compiled on it. */
let opened: Promise<Device> | undefined;

/** One device for all tests of a file: hardware if there is some, otherwise the software adapter. */
export function useDevice(): () => Device {
  let device: Device | undefined;
  beforeAll(async () => {
    opened ??= openDevice();
    device = await opened;
  });
  afterAll(() => {
    // What a file has ended is not for the next one.
    if (device?.closed) opened = undefined;
  });
  return () => device!;
}
