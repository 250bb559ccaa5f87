import { afterAll, beforeAll } from 'vitest';
import { type Device, openDevice } from '../../src/gpu/device.ts';

/** One device for all tests of a file: hardware if there is some, otherwise the software adapter. */
export function useDevice(): () => Device {
  let device: Device | undefined;
  beforeAll(async () => {
    device = await openDevice();
  });
  afterAll(() => device?.destroy());
  return () => device!;
}
