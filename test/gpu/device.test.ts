import { describe, expect, it } from 'vitest';
import { DeviceError, InputError } from '../../src/errors.ts';
import { BufferPool } from '../../src/gpu/buffers.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { Polyhedron } from '../../src/inside/polyhedron.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';

describe('openDevice', () => {
  it('names the adapter and its limits', async () => {
    const device = await openDevice();
    expect(device.adapter.vendor).not.toBe('');
    expect(typeof device.adapter.software).toBe('boolean');
    expect(device.limits.maxStorageBufferBindingSize).toBeGreaterThanOrEqual(128 << 20);
    device.destroy();
  });

  it('opens the software adapter when asked for', async () => {
    const device = await openDevice({ adapter: 'software' });
    expect(device.adapter.software).toBe(true);
    device.destroy();
  });

  it('opens hardware or says that there is none, never software instead', async () => {
    const opened = await openDevice({ adapter: 'hardware' }).catch((error: unknown) => error);
    if (opened instanceof Error) {
      expect(opened).toBeInstanceOf(DeviceError);
      expect((opened as DeviceError).reason).toBe('no-adapter');
      expect(opened.message).toMatch(
        /no hardware WebGPU adapter.*install.*Polyhedron\.create\(undefined, mesh\)/,
      );
      return;
    }
    const device = opened as Awaited<ReturnType<typeof openDevice>>;
    expect(device.adapter.software).toBe(false);
    device.destroy();
  });

  it('refuses an unknown adapter preference and an unknown limit', async () => {
    await expect(openDevice({ adapter: 'fast' as never })).rejects.toThrow(
      /"fast": expected auto, hardware or software/,
    );
    for (const limits of [
      { maxMagic: 1 },
      { toString: 1 },
      { maxBufferSize: Number.NaN },
      { maxBufferSize: -1 },
      [],
    ]) {
      await expect(openDevice({ limits: limits as never })).rejects.toThrow(InputError);
    }
  });

  it('says which limit is too small, what there is and what was asked for', async () => {
    const asked = openDevice({ limits: { maxBufferSize: 2 ** 52 } });
    await expect(asked).rejects.toThrow(/maxBufferSize is \d+, expected 4503599627370496/);
    await expect(asked).rejects.toMatchObject({ reason: 'limits', exitCode: 1 });
  });

  it('grants a limit beyond the portable default', async () => {
    const device = await openDevice({ limits: { maxStorageBufferBindingSize: 256 << 20 } });
    expect(device.limits.maxStorageBufferBindingSize).toBe(256 << 20);
    device.destroy();
  });

  it('has the portable limits by default, and on demand all that the adapter offers', async () => {
    const portable = await openDevice();
    const plain = await openDevice({ limits: 'portable' });
    const all = await openDevice({ limits: 'adapter' });
    const names = [
      'maxBufferSize',
      'maxStorageBufferBindingSize',
      'maxStorageBuffersPerShaderStage',
    ] as const;
    for (const name of names) {
      expect(plain.limits[name]).toBe(portable.limits[name]);
      expect(all.limits[name]).toBeGreaterThanOrEqual(portable.limits[name]);
      // One more than all is refused.
      const more = openDevice({ limits: { [name]: all.limits[name] + 1 } });
      await expect(more).rejects.toThrow(`${name} is ${all.limits[name]}, expected ${all.limits[name] + 1}`);
    }
    expect(all.limits.maxBufferSize).toBeGreaterThan(portable.limits.maxBufferSize);
    await expect(openDevice({ limits: 'all' as never })).rejects.toThrow(
      /^openDevice: limits "all": expected portable, adapter or numbers by name$/,
    );
    for (const device of [portable, plain, all]) device.destroy();
  });

  it('survives 50 openings and closings, and several devices at once', async () => {
    const sphere = unitSphere(1);
    const points = Float32Array.from([0, 0, 0, 2, 0, 0]);
    const kept = await openDevice();
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 50; round++) {
      const device = await openDevice();
      const body = await Polyhedron.create(device, sphere);
      expect([...(await body.classify(points, { backend: 'gpu' })).flags]).toEqual([1, 0]);
      // Every other round leaves the body to the device.
      if (round % 2 === 0) body.destroy();
      device.destroy();
    }
    const body = await Polyhedron.create(kept, sphere);
    expect([...(await body.classify(points, { backend: 'gpu' })).flags]).toEqual([1, 0]);
    kept.destroy();
    // 50 devices hold hundreds of MiB if they are not given back; what is left is the allocator's slack.
    expect(process.memoryUsage().rss - before).toBeLessThan(400 << 20);
  });
});

describe('a device that goes away', () => {
  it('rejects classification with the loss, and a new device works', async () => {
    const sphere = unitSphere(5);
    const points = new Float32Array(3 * 200_000).map((_, i) => Math.sin(i * 12.9898));
    const device = await openDevice();
    const body = await Polyhedron.create(device, sphere);
    const pending = body.classify(points, { method: 'ray-crossing', cull: false });
    // The way a loss looks from outside: the handle goes without our destroy().
    setTimeout(() => device.handle.destroy(), 30);
    await expect(pending).rejects.toMatchObject({ name: 'DeviceError', reason: 'lost' });
    expect(device.closed).toBe(true);
    await expect(body.classify(points, { backend: 'gpu' })).rejects.toMatchObject({ reason: 'lost' });
    await expect(Polyhedron.create(device, sphere)).rejects.toThrow(/open a new one/);

    const again = await openDevice();
    const fresh = await Polyhedron.create(again, sphere);
    expect((await fresh.classify(points.slice(0, 300), { backend: 'gpu' })).counts.points).toBe(100);
    again.destroy();
  });

  it('rejects work after destroy() and may be destroyed twice', async () => {
    const device = await openDevice();
    const body = await Polyhedron.create(device, unitSphere(1));
    device.destroy();
    device.destroy();
    body.destroy();
    await expect(body.classify(new Float32Array(3))).rejects.toThrow(/destroyed/);
  });
});

describe('GPU memory', () => {
  it('is refused with the sizes where a buffer is larger than the device allows', async () => {
    const device = await openDevice();
    const pool = new BufferPool(device);
    const size = device.limits.maxStorageBufferBindingSize + 16;
    expect(() => pool.reserve('too large', size, GPUBufferUsage.STORAGE)).toThrow(
      `too large: needs a buffer of ${size} bytes, the device allows ${size - 16} (maxStorageBufferBindingSize), ` +
        `openDevice({ limits: { maxStorageBufferBindingSize: ${size} } }) or limits: 'adapter' may allow more`,
    );
    device.destroy();
  });

  it('that runs out is reported as such, and the device works on', async () => {
    // The software adapter has a heap of its own size and commits memory late: 200 GiB cost nothing but the refusal.
    const gib = 2 ** 30;
    const limits = { maxBufferSize: gib, maxStorageBufferBindingSize: gib };
    const device = await openDevice({ adapter: 'software', limits });
    const pool = new BufferPool(device);
    const filling = device.checked('filling the memory', () => {
      for (let i = 0; i < 200; i++) pool.reserve(`part ${i}`, gib, GPUBufferUsage.STORAGE);
    });
    await expect(filling).rejects.toThrow(/^out of GPU memory while filling the memory: [^\n]+$/);
    await expect(filling).rejects.toMatchObject({ reason: 'out-of-memory', exitCode: 1 });
    pool.destroy();
    const body = await Polyhedron.create(device, unitSphere(1));
    expect([...(await body.classify(Float32Array.from([0, 0, 0]), { backend: 'gpu' })).flags]).toEqual([1]);
    device.destroy();
  });

  it('is counted, reused and given back', async () => {
    const device = await openDevice();
    const pool = new BufferPool(device);
    const first = pool.reserve('a', 1000, GPUBufferUsage.STORAGE);
    expect(pool.reserve('a', 900, GPUBufferUsage.STORAGE)).toBe(first);
    expect(pool.bytes).toBe(1008);
    pool.reserve('a', 2000, GPUBufferUsage.STORAGE);
    expect(pool.bytes).toBe(2000);
    pool.destroy();
    expect(pool.bytes).toBe(0);
    expect(pool.peakBytes).toBe(2000);
    device.destroy();
  });

  it('validation errors become one line that says what was being done', async () => {
    const device = await openDevice();
    const failing = device.checked('making a strange buffer', () => {
      device.handle.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE });
    });
    await expect(failing).rejects.toThrow(/^WebGPU refused while making a strange buffer: [^\n]+$/);
    device.destroy();
  });
});
