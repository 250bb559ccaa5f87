import { describe, expect, it } from 'vitest';
import { platform } from '#platform';
import { ConvexBatch } from '../../src/convex/batch/convex-batch.ts';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import { DeviceError, InputError } from '../../src/errors.ts';
import { BufferPool } from '../../src/gpu/buffers.ts';
import { type OpenDeviceOptions, openDevice } from '../../src/gpu/device.ts';
import { Polyhedron } from '../../src/inside/polyhedron.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { Renderer } from '../../src/render/renderer.ts';

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

describe('a GPUDevice that somebody else made', () => {
  const adapterOf = async (options: GPURequestAdapterOptions = {}) =>
    (await (await platform.openGpu('system'))!.requestAdapter(options))!;

  /** Observes what is made on a device, and what of that is not destroyed. */
  function watch(handle: GPUDevice): { made: number; alive: Set<string>; complaints: string[] } {
    const seen = { made: 0, alive: new Set<string>(), complaints: [] as string[] };
    handle.addEventListener('uncapturederror', ({ error }) => seen.complaints.push(error.message));
    for (const name of ['createBuffer', 'createTexture', 'createQuerySet'] as const) {
      const create = handle[name].bind(handle) as unknown as (of: GPUObjectDescriptorBase) => {
        destroy(): void;
      };
      const observed = (of: GPUObjectDescriptorBase) => {
        const made = create(of);
        const destroy = made.destroy.bind(made);
        const key = `${++seen.made} ${of.label}`;
        seen.alive.add(key);
        made.destroy = () => {
          seen.alive.delete(key);
          destroy();
        };
        return made;
      };
      Object.defineProperty(handle, name, { value: observed });
    }
    return seen;
  }

  it('does the work of one of our own, and keeps nothing of it when ours is destroyed', async () => {
    const adapter = await adapterOf();
    const handle = await adapter.requestDevice({
      requiredFeatures: adapter.features.has('timestamp-query') ? ['timestamp-query'] : [],
    });
    const theirs = handle.createBuffer({
      size: 16,
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
    const seen = watch(handle);
    const device = await openDevice({ device: handle });
    expect(device.handle).toBe(handle);
    expect(device.adapter.vendor).toBe(adapter.info.vendor);
    expect([...device.features]).toEqual([...handle.features]);
    const body = await Polyhedron.create(device, unitSphere(4));
    const points = Float32Array.from([0, 0, 0, 2, 0, 0]);
    const timed = { backend: 'gpu', timestamps: true } as const;
    expect([...(await body.classify(points, timed)).flags]).toEqual([1, 0]);
    const shapes = [{ kind: 'sphere', radius: 1 }] as const;
    const bodies = { shapes: new Uint32Array(2) };
    const poses = Float64Array.of(0, 0, 0, 0, 0, 0, 1, 1.9, 0, 0, 0, 0, 0, 1);
    const materials = [{ density: 1000, youngsModulus: 1e6 }];
    const scene = { shapes, materials, bodies: { ...bodies, poses } };
    const simulation = await Simulation.create(device, scene, { backend: 'gpu' });
    const batch = await ConvexBatch.create(device, shapes);
    const query = { poses, shapes: bodies.shapes, pairs: Uint32Array.of(0, 1), kind: 'distance' } as const;
    expect((await batch.query({ ...query, backend: 'gpu' })).distance[0]).toBe(0);
    await Renderer.create(device, { shapes, bodies, poses });
    expect(seen.made).toBeGreaterThan(50);
    // Ours goes in the middle of its work.
    const running = simulation.step(100_000);
    setTimeout(() => device.destroy(), 50);
    await expect(running).rejects.toMatchObject({ reason: 'destroyed' });
    expect(await device.lost).toMatchObject({ reason: 'destroyed' });
    device.destroy();
    await handle.queue.onSubmittedWorkDone();
    expect([...seen.alive]).toEqual([]);
    expect(seen.complaints).toEqual([]);
    // Theirs works on, and is taken once more.
    await theirs.mapAsync(GPUMapMode.READ);
    const again = await openDevice({ device: handle });
    handle.destroy();
    expect(await again.lost).toMatchObject({ reason: 'lost' });
  });

  it('is refused in one line: what is none, what is lost, what is too small', async () => {
    const refusal = (options: unknown) =>
      openDevice(options as OpenDeviceOptions).then(
        () => 'nothing',
        (error: Error) => error.message,
      );
    expect(await refusal({ device: {} })).toBe('openDevice: device: found an object, expected a GPUDevice');
    expect(await refusal({ device: null })).toBe('openDevice: device: found null, expected a GPUDevice');
    const adapter = await adapterOf();
    const handle = await adapter.requestDevice();
    expect(await refusal({ device: handle, adapter: 'software' })).toBe(
      'openDevice: found adapter and device, expected one of them: the device is made',
    );
    expect(await refusal({ device: handle, limits: 'adapter' })).toBe(
      'openDevice: limits "adapter" beside device: expected portable or numbers by name',
    );
    expect(await refusal({ device: handle, limits: { maxBufferSize: 2 ** 40 } })).toBe(
      `the device is too small: maxBufferSize is ${handle.limits.maxBufferSize}, expected 1099511627776`,
    );
    handle.destroy();
    expect(await refusal({ device: handle })).toMatch(/^the WebGPU device was lost \(destroyed[^\n]+$/);
    const small = await (await adapterOf({ featureLevel: 'compatibility' })).requestDevice();
    expect(small.limits.maxComputeInvocationsPerWorkgroup).toBe(128);
    expect(await refusal({ device: small })).toMatch(
      /^the device is too small: max\w+ is \d+, expected \d+$/,
    );
    small.destroy();
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
