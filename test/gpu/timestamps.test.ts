import { describe, expect, it } from 'vitest';
import { COPY_SHADER } from '../../src/bench/points/copy.ts';
import { passTimestamps, startPassTimer, sumOfPasses } from '../../src/gpu/timestamps.ts';
import { Polyhedron } from '../../src/inside/polyhedron.ts';
import { gridPoints } from '../../src/io/points.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { useDevice } from '../support/device.ts';

const device = useDevice();
const hasTimestamps = () => device().features.has('timestamp-query');

/** Encodes passes that copy a buffer, and submits them in groups of so many. */
async function copyPasses(passes: number, perSubmit: number): Promise<void> {
  const { handle } = device();
  const module = handle.createShaderModule({ code: COPY_SHADER.code });
  const pipeline = handle.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'copy' } });
  const buffers = [0, 1].map(() => handle.createBuffer({ size: 1 << 16, usage: GPUBufferUsage.STORAGE }));
  const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
  const group = handle.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  for (let first = 0; first < passes; first += perSubmit) {
    const encoder = handle.createCommandEncoder();
    for (let i = first; i < Math.min(passes, first + perSubmit); i++) {
      const timestampWrites = passTimestamps(device(), encoder);
      const pass = encoder.beginComputePass({ ...(timestampWrites && { timestampWrites }) });
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(64);
      pass.end();
    }
    handle.queue.submit([encoder.finish()]);
  }
  for (const buffer of buffers) buffer.destroy();
}

describe('the sum of passes', () => {
  it('is that of what lies between beginning and end, in seconds', () => {
    expect(sumOfPasses(BigUint64Array.of(1_000n, 2_500n, 10_000n, 10_500n))).toBeCloseTo(2e-6, 15);
    expect(sumOfPasses(new BigUint64Array(0))).toBe(0);
    // Beyond 2^53 nanoseconds, a hundred days of running, the difference is as exact.
    const late = 2n ** 60n;
    expect(sumOfPasses(BigUint64Array.of(late, late + 3n))).toBeCloseTo(3e-9, 15);
  });

  it('is not known where a clock ran backwards', () => {
    expect(sumOfPasses(BigUint64Array.of(1_000n, 2_000n, 3_000n, 2_999n))).toBeUndefined();
  });
});

describe('a timer of passes', () => {
  // One query set holds 256 passes.
  it.each([
    [1, 1],
    [256, 256],
    [257, 100],
    [600, 600],
  ])('sums up %i passes, submitted %i at a time', async (passes, perSubmit) => {
    const timer = await startPassTimer(device());
    expect(timer !== undefined).toBe(hasTimestamps());
    if (timer === undefined) return;
    const started = performance.now();
    await copyPasses(passes, perSubmit);
    const seconds = await timer.read();
    timer.destroy();
    expect(seconds).toBeGreaterThanOrEqual(0);
    if (passes > 100) expect(seconds).toBeGreaterThan(0);
    // Passes of one queue do not overlap, so together they take no longer than the whole.
    expect(seconds).toBeLessThanOrEqual((performance.now() - started) / 1000);
  });

  it('leaves encoders of callers alone, who may submit them when it is gone', async () => {
    const timer = await startPassTimer(device());
    const body = await Polyhedron.create(device(), unitSphere(1));
    const inside = await body.onDevice({ mostPoints: 4 });
    const points = device().handle.createBuffer({ size: 48, usage: GPUBufferUsage.STORAGE });
    const encoder = device().handle.createCommandEncoder();
    inside.encode(encoder, { points, count: 4 });
    timer?.destroy();
    await device().checked('submitting late', () => device().handle.queue.submit([encoder.finish()]));
    body.destroy();
    inside.destroy();
  });

  it('times what is encoded until it is read, and nothing after', async () => {
    const timer = await startPassTimer(device());
    if (timer === undefined) return;
    expect(await timer.read()).toBe(0);
    const encoder = device().handle.createCommandEncoder();
    expect(passTimestamps(device(), encoder)).toBeUndefined();
    timer.destroy();
  });
});

describe('seconds.gpu of a call', () => {
  const mesh = unitSphere(3);
  const points = gridPoints(mesh.box, 40);
  const methods = ['cell-grid', 'ray-crossing', 'multipole', 'direct'] as const;

  it.each(methods)('by %s is there where it was asked for and the GPU did the work', async (method) => {
    const body = await Polyhedron.create(device(), mesh, { threads: 1 });
    const some = points.subarray(0, 3 * 20_000);
    const plain = await body.classify(some, { method, backend: 'gpu' });
    const timed = await body.classify(some, { method, backend: 'gpu', timestamps: true });
    expect(plain.seconds).not.toHaveProperty('gpu');
    expect('gpu' in timed.seconds).toBe(hasTimestamps());
    if (hasTimestamps()) {
      expect(timed.seconds.gpu).toBeGreaterThan(0);
      expect(timed.seconds.gpu).toBeLessThanOrEqual(timed.seconds.total);
    }
    expect(timed.flags).toEqual(plain.flags);
    body.destroy();
  });

  it('is not there on the CPU', async () => {
    const body = await Polyhedron.create(device(), mesh, { threads: 1 });
    const { seconds } = await body.classify(points, { backend: 'cpu', timestamps: true });
    expect(seconds).not.toHaveProperty('gpu');
    body.destroy();
  });

  it('leaves upload and reading back of potentials apart', async () => {
    const body = await Polyhedron.create(device(), mesh, { threads: 1 });
    const { seconds, expansion, gpuBytes } = await body.classify(points, {
      method: 'multipole',
      backend: 'gpu',
    });
    expect(seconds.upload).toBeGreaterThan(0);
    expect(seconds.readback).toBeGreaterThan(0);
    expect(seconds.upload + seconds.classify + seconds.readback).toBeLessThanOrEqual(seconds.total);
    expect(expansion).toMatchObject({ degree: 2, separation: 1.6 });
    expect(Object.keys(expansion!.setUpSeconds)).toEqual(
      expect.arrayContaining(['trees', 'lists', 'p2m', 'm2l']),
    );
    // Points of the call are counted as well as tables.
    expect(gpuBytes).toBeGreaterThan(12 * (points.length / 3));
    const grid = await body.classify(points, { method: 'cell-grid', backend: 'gpu' });
    expect(grid.expansion).toBeUndefined();
    body.destroy();
  });
});
