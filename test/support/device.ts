import { afterAll, beforeAll } from 'vitest';
import { type Device, openDevice } from '../../src/gpu/device.ts';

/** One device for the tests of a file: hardware where there is some, the software adapter otherwise. */
export function useDevice(): () => Device {
  let device: Device | undefined;
  beforeAll(async () => {
    device = await openDevice();
  });
  afterAll(() => device?.destroy());
  return () => device!;
}
