import { expect, it } from 'vitest';
import { orAdvise } from '../../src/cli/device.ts';
import { DeviceError } from '../../src/errors.ts';

it('a limit that is too small has advice for the command line in place of that for scripts', async () => {
  const advice = "openDevice({ limits: 'adapter' }) may allow more";
  const tooSmall = new DeviceError('limits', 'a table is too large (maxBufferSize)', { advice });
  const failed = orAdvise({ adapter: 'auto', backend: 'gpu' }, () => Promise.reject(tooSmall));
  await expect(failed).rejects.toMatchObject({
    ...{ name: 'DeviceError', reason: 'limits', exitCode: 1 },
    problem: 'a table is too large (maxBufferSize), or use the CPU: --backend cpu',
  });
  const lost = new DeviceError('lost', 'the device was lost');
  await expect(orAdvise({ adapter: 'auto' }, () => Promise.reject(lost))).rejects.toBe(lost);
});
