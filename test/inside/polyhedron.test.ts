import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { Polyhedron } from '../../src/inside/polyhedron.ts';
import { openCellFoam } from '../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { WorkerPool } from '../../src/workers/worker-pool.ts';
import { useDevice } from '../support/device.ts';
import { differences, exactFlags } from '../support/flags.ts';
import { boxMesh, randomPoints } from '../support/shapes.ts';
import { WAYS } from '../support/ways.ts';

const device = useDevice();
const random = createRandom(51);
const sphere = unitSphere(5);
const points = randomPoints(sphere, 50_000, random);

describe('method and backend', () => {
  it('auto is the cell grid, on the CPU where the adapter is software, and says why', async () => {
    const body = await Polyhedron.create(device(), sphere);
    const result = await body.classify(points);
    expect(result.method).toBe('cell-grid');
    expect(result.backend).toBe(device().adapter.software ? 'cpu' : 'gpu');
    expect(result.reason).toMatch(device().adapter.software ? /the adapter is software/ : /hardware/);
    expect(result.tableBytes).toBeGreaterThan(0);
    body.destroy();
  });

  it('a body without a device works on the CPU and says so', async () => {
    const body = await Polyhedron.create(undefined, sphere);
    const result = await body.classify(points);
    expect(result).toMatchObject({ method: 'cell-grid', backend: 'cpu', adapter: undefined, gpuBytes: 0 });
    expect(result.reason).toMatch(/no device/);
    await expect(body.classify(points, { backend: 'gpu' })).rejects.toThrow(/needs a device/);
    await expect(body.classify(points, { method: 'ray-crossing' })).rejects.toThrow(/on a GPU device only/);
    body.destroy();
  });

  it('what was asked for is what is done', async () => {
    const body = await Polyhedron.create(device(), sphere);
    for (const way of WAYS) expect(await body.classify(points.slice(0, 300), way)).toMatchObject(way);
    const both = body.classify(points, { method: 'ray-crossing', backend: 'cpu' });
    await expect(both).rejects.toThrow(/on a GPU device only/);
    await expect(body.classify(points, { backend: 'tpu' as never })).rejects.toThrow(
      /"tpu": expected one of auto, gpu, cpu/,
    );
    body.destroy();
  });

  it('few points on a small body build small tables', async () => {
    const body = await Polyhedron.create(device(), boxMesh([0, 0, 0], [1, 1, 1]));
    const result = await body.classify(randomPoints(sphere, 1000, random));
    expect(result.backend).toBe('cpu');
    expect(result.tableBytes).toBeLessThan(200_000);
    body.destroy();
  });
});

it('progress counts doubtful points when they are settled', async () => {
  const { positions } = sphere;
  const count = 80_000;
  const onVertices = Float32Array.from({ length: 3 * count }, (_, i) => positions[i % positions.length]!);
  const body = await Polyhedron.create(undefined, sphere);
  const seen: number[] = [];
  const { resolvedExactly, counts } = await body.classify(onVertices, {
    onProgress: (done) => seen.push(done),
  });
  expect({ resolvedExactly, boundary: counts.boundary }).toEqual({ resolvedExactly: count, boundary: count });
  expect(seen.length).toBeGreaterThan(2);
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(count);
  body.destroy();
});

describe('a body that is destroyed', () => {
  it.each(WAYS)('rejects the call under way or lets it end right: $method on $backend', async (way) => {
    for (const delay of [0, 2, 5, 10, 20, 40]) {
      const body = await Polyhedron.create(device(), sphere);
      const expected = delay === 0 ? exactFlags(sphere, points) : undefined;
      const pending = body.classify(points, {
        ...way,
        ...(way.method === 'ray-crossing' && { cull: false }),
      });
      setTimeout(() => body.destroy(), delay);
      const outcome = await pending.catch((error: unknown) => error);
      body.destroy();
      if (outcome instanceof Error) expect(outcome.message).toMatch(/was destroyed/);
      else if (expected)
        expect(differences((outcome as { flags: Uint8Array }).flags, expected, points)).toEqual([]);
      else expect((outcome as { counts: { inside: number } }).counts.inside).toBeGreaterThan(15_000);
      await expect(body.classify(points, way)).rejects.toThrow(/was destroyed/);
    }
  });

  it('rejects queued calls, and after its device with the device', async () => {
    const body = await Polyhedron.create(device(), sphere);
    const [first, second] = [body.classify(points, WAYS[1]), body.classify(points, WAYS[0])];
    first.then(() => body.destroy()).catch(() => {});
    await first;
    await expect(second).rejects.toThrow(InputError);
  });
});

describe('worker threads', () => {
  it('give the flags of the calling thread', async () => {
    const foam = openCellFoam({ triangles: 12_000, seed: 8 });
    const many = randomPoints(foam, 100_000, random);
    const alone = await Polyhedron.create(undefined, foam, { threads: 1 });
    const together = await Polyhedron.create(undefined, foam);
    await expect(Polyhedron.create(undefined, foam, { threads: 0 })).rejects.toThrow(
      'threads is 0, expected a whole number from 1 to 1024',
    );
    for (const rule of ['odd', 'nonzero'] as const) {
      const expected = await alone.classify(many, { rule });
      expect(differences((await together.classify(many, { rule })).flags, expected.flags, many)).toEqual([]);
    }
  });

  it('may die: the calling thread goes on without them', async () => {
    const pool = WorkerPool.get();
    if (pool === undefined) return;
    const body = await Polyhedron.create(undefined, sphere);
    const expected = exactFlags(sphere, points);
    const pending = body.classify(points);
    pool.fail(new Error('gone, as a test'));
    expect(differences((await pending).flags, expected, points)).toEqual([]);
    expect(WorkerPool.get()).toBeUndefined();
    expect(differences((await body.classify(points)).flags, expected, points)).toEqual([]);
  });
});

it('many calls leave nothing behind on the device', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const body = await Polyhedron.create(device(), unitSphere(1));
  const few = points.slice(0, 30);
  const heapAfter = async (calls: number) => {
    for (let i = 0; i < calls; i++) await body.classify(few, { backend: 'gpu' });
    // Twice, with a turn of the event loop between: finalizers of buffers run late.
    collect();
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
    return process.memoryUsage().heapUsed;
  };
  await heapAfter(50);
  const before = await heapAfter(1);
  const after = await heapAfter(400);
  // Reactions left on the device's loss were 4 KB a call, 400 MB in a simulation of 10^5 steps.
  expect((after - before) / 400).toBeLessThan(1500);
  body.destroy();
});
