import { expect, it } from 'vitest';
import { BufferPool, readBack } from '../../src/gpu/buffers.ts';
import { useDevice } from '../support/device.ts';
import { countHostWaits, takenForHardware } from '../support/host-waits.ts';

const device = useDevice();

it('waits of the host are counted, those of the queue and those for mapped memory', async () => {
  const pool = new BufferPool(device());
  const { result, waits } = await countHostWaits(device(), async () => {
    const buffer = pool.reserve('b', 64, GPUBufferUsage.COPY_SRC);
    await device().checked('doing nothing', () => {});
    await device().finished();
    await device().finished();
    return readBack(device(), pool, [{ buffer, bytes: 4 }]);
  });
  expect(result[0]).toHaveLength(4);
  expect(waits).toEqual({ queue: 2, mappings: 1 });
  const none = await countHostWaits(device(), async () => 1);
  expect(none).toEqual({ result: 1, waits: { queue: 0, mappings: 0 } });
  pool.destroy();
});

it('a device taken for hardware works on the same WebGPU device', () => {
  const hardware = takenForHardware(device());
  expect(hardware.adapter.software).toBe(false);
  expect(hardware.handle).toBe(device().handle);
});
