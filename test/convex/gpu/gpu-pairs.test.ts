import { describe, expect, it } from 'vitest';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import type { GpuPairAnswers } from '../../../src/convex/gpu/answers.ts';
import { GpuPairs } from '../../../src/convex/gpu/gpu-pairs.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { Shape } from '../../../src/convex/shapes/shapes.ts';
import { DeviceError } from '../../../src/errors.ts';
import { openDevice } from '../../../src/gpu/device.ts';
import { useDevice } from '../../support/device.ts';
import { askKernels } from './gpu-ask.ts';
import { randomPairs } from './random-pairs.ts';

const device = useDevice();

const box: Shape = { kind: 'box', halfExtents: [0.5, 0.5, 0.5] };
const ball: Shape = { kind: 'ellipsoid', radii: [0.5, 1, 0.75] };
const hammer: Shape = {
  kind: 'parts',
  parts: [
    { shape: { kind: 'box', halfExtents: [0.2, 0.2, 0.8] } },
    {
      shape: { kind: 'cylinder', radius: 0.3, halfHeight: 0.5 },
      position: [0, 0, 0.8],
      rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2],
    },
    { shape: { kind: 'sphere', radius: 0.4 }, position: [0.1, 0, -0.8] },
  ],
};

function expectSame(a: GpuPairAnswers, b: GpuPairAnswers): void {
  for (const name of [
    'status',
    'iterations',
    'distance',
    'lower',
    'upper',
    'normal',
    'pointA',
    'pointB',
  ] as const) {
    expect(a[name], name).toEqual(b[name]);
  }
}

describe('GpuPairs', () => {
  const count = 6000;
  const scene = randomPairs(count, 2);
  const shapes = [box, ball, hammer];
  // All pairs of shapes; boxes and ellipsoids often enough for kernels of their own.
  const bodies = Uint32Array.from({ length: 2 * count }, (_, i) => (i % 11 === 0 ? 2 : i % 2));
  const query = { ...scene, shapes: bodies, kind: 'distance' } as const;
  const resolved = {
    ...query,
    shapeCount: shapes.length,
    algorithm: 'gjk',
    tolerance: 2 ** -20,
    sweepRadius: 0,
    manifold: 'sampled',
    warm: undefined,
  } as const;

  it('concave bodies: the least distance of all pairs of parts', async () => {
    const exact = queryPairs(new ShapeTable(shapes), query);
    const kernels = await askKernels(device(), shapes, query);
    let undecided = 0;
    for (let i = 0; i < count; i++) {
      if (kernels.status[i] === PairStatus.iterationLimit) undecided++;
      else expect(Math.abs(kernels.distance[i]! - exact.distance[i]!), `pair ${i}`).toBeLessThan(5e-5);
    }
    expect(undecided).toBeLessThan(0.01 * count);
    const intersect = await askKernels(device(), shapes, { ...query, kind: 'intersect' });
    let open = 0;
    for (let i = 0; i < count; i++) {
      if (intersect.status[i] === PairStatus.iterationLimit) open++;
      else expect(intersect.status[i] === PairStatus.separated, `pair ${i}`).toBe(exact.distance[i]! > 0);
    }
    expect(open).toBeLessThan(0.01 * count);
  });

  it('little room for buffers: the same answers, chunk by chunk, bodies with their pairs', async () => {
    const whole = await askKernels(device(), shapes, query);
    const progress: number[] = [];
    const onProgress = (done: number) => void progress.push(done);
    const cut = await askKernels(device(), shapes, query, { onProgress }, { largestBinding: 200_000 });
    expectSame(cut, whole);
    expect(progress.length).toBeGreaterThan(5);
    expect(progress.at(-1)).toBe(count);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });

  it('a query without pairs has no answers', async () => {
    const none = await askKernels(device(), shapes, { ...query, pairs: new Uint32Array(0) });
    expect(none.status).toEqual(new Uint8Array(0));
  });

  it('one object answers query after query, and gives its memory back', async () => {
    const table = new ShapeTable(shapes);
    const kernels = await GpuPairs.create(device(), table);
    // Asked for at once: they wait for each other.
    const [first, second] = await Promise.all([
      kernels.query(resolved, { timestamps: true }),
      kernels.query(resolved),
    ]);
    expectSame(first, second);
    for (const name of ['upload', 'kernel', 'readback'] as const) {
      expect(first.seconds[name]).toBeGreaterThan(0);
    }
    if (device().features.has('timestamp-query')) expect(first.seconds.gpu).toBeGreaterThan(0);
    expect(second.seconds.gpu).toBeUndefined();
    expect(kernels.gpuBytes).toBeGreaterThan(0);
    kernels.destroy();
    expect(kernels.gpuBytes).toBe(0);
  });

  it('an aborted query rejects with the reason', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    const onProgress = () => abort.abort(reason);
    const run = { signal: abort.signal, onProgress };
    await expect(askKernels(device(), shapes, query, run, { largestBinding: 200_000 })).rejects.toBe(reason);
  });

  it('a device that goes while a query runs is reported, as is one that is gone', async () => {
    const own = await openDevice();
    const table = new ShapeTable(shapes);
    const kernels = await GpuPairs.create(own, table);
    const pending = kernels.query(resolved, { onProgress: () => own.destroy() });
    await expect(pending).rejects.toMatchObject({ reason: 'destroyed' });
    await expect(kernels.query(resolved)).rejects.toBeInstanceOf(DeviceError);
  });
});
