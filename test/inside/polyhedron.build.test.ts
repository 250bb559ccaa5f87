import { describe, expect, it } from 'vitest';
import { BufferPool } from '../../src/gpu/buffers.ts';
import { CellGrid } from '../../src/inside/cell-grid/cell-grid.ts';
import { Polyhedron } from '../../src/inside/polyhedron.ts';
import { openCellFoam } from '../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { useDevice } from '../support/device.ts';
import { differences, exactFlags } from '../support/flags.ts';
import { boxMesh, joinMeshes, mapMesh, pointsOnSurface, randomPoints } from '../support/shapes.ts';

const device = useDevice();
const random = createRandom(51);

describe('option build', () => {
  const foam = openCellFoam({ triangles: 2000, seed: 5 });
  const points = new Float32Array([
    ...randomPoints(foam, 3000, random),
    ...pointsOnSurface(foam, 500, random),
  ]);

  it('"gpu" classifies with tables that never left the GPU, on the CPU and under both rules as well', async () => {
    const expected = { odd: exactFlags(foam, points), nonzero: exactFlags(foam, points, 'nonzero') };
    const body = await Polyhedron.create(device(), foam, { build: 'gpu', cellsPerAxis: 20 });
    for (const backend of ['gpu', 'cpu'] as const) {
      for (const rule of ['odd', 'nonzero'] as const) {
        const result = await body.classify(points, { backend, rule });
        expect(result.built).toEqual({ on: 'gpu', reason: 'gpu was asked for' });
        expect(differences(result.flags, expected[rule], points), `${backend} ${rule}`).toEqual([]);
      }
    }
    body.destroy();
  });

  it('makes no difference to the file of a body', async () => {
    const files: Uint8Array[] = [];
    for (const build of ['cpu', 'gpu'] as const) {
      const body = await Polyhedron.create(device(), foam, { build });
      files.push(await body.save());
      body.destroy();
    }
    expect(Buffer.compare(files[0]!, files[1]!)).toBe(0);
  });

  it('"gpu" takes blocks of overfull cells from the host', async () => {
    const small = mapMesh(unitSphere(3), (x, y, z) => [x, y, z].map((c) => 0.5 + 0.02 * c));
    const mesh = joinMeshes([boxMesh([0, 0, 0], [4, 4, 4]), small]);
    const near = pointsOnSurface(mesh, 1000, random);
    const body = await Polyhedron.create(device(), mesh, { build: 'gpu' });
    for (const backend of ['gpu', 'cpu'] as const) {
      const { flags } = await body.classify(near, { backend });
      expect(differences(flags, exactFlags(mesh, near), near)).toEqual([]);
    }
    body.destroy();
  });

  it('"auto" builds on the CPU for a software adapter and for few triangles, and says why', async () => {
    const body = await Polyhedron.create(device(), foam);
    const { built } = await body.classify(points);
    expect(built?.on).toBe('cpu');
    expect(built?.reason).toMatch(device().adapter.software ? /adapter is software/ : /for 2\d{3} triangles/);
    body.destroy();
  });

  it('is refused where it cannot be had', async () => {
    await expect(Polyhedron.create(undefined, foam, { build: 'gpu' })).rejects.toThrow(
      /^build "gpu" needs a device/,
    );
    await expect(Polyhedron.create(device(), foam, { build: 'tpu' as never })).rejects.toThrow(
      /^build "tpu": expected one of auto, gpu, cpu$/,
    );
  });

  it('"gpu" is on the GPU once: bound in parts, its tables replace those that the GPU built', async () => {
    const options = { build: 'gpu', cellsPerAxis: 20, largestPart: 40_000 } as const;
    const grid = await CellGrid.create(foam, device(), options);
    const { parts } = await grid.onGpu(device(), 'odd');
    expect(parts.length).toBeGreaterThan(1);
    // Twice as much and more with both; words of one rule and what is rounded up are in it.
    expect(grid.gpuBytes).toBeGreaterThan(0.7 * grid.bytes);
    expect(grid.gpuBytes).toBeLessThan(1.3 * grid.bytes);
    const flags = new Uint8Array(points.length / 3);
    const work = new BufferPool(device());
    const seconds = { upload: 0, classify: 0, readback: 0 };
    const doubtful = await grid.classifyOnGpu(
      ...([device(), points, 0, flags.length, flags, { rule: 'odd' }, work, seconds] as const),
    );
    const exact = exactFlags(foam, points);
    for (const i of doubtful) flags[i] = exact[i]!;
    expect(differences(flags, exact, points)).toEqual([]);
    work.destroy();
    grid.destroy();
    expect(grid.gpuBytes).toBe(0);
  });

  it('"gpu" tells of tables that lie on the GPU where the CPU does the work', async () => {
    const body = await Polyhedron.create(device(), foam, { build: 'gpu', cellsPerAxis: 20 });
    const { gpuBytes, tableBytes } = await body.classify(points, { backend: 'cpu' });
    expect(gpuBytes).toBeGreaterThanOrEqual(tableBytes);
    body.destroy();
    const other = await Polyhedron.create(device(), foam, { build: 'cpu' });
    expect((await other.classify(points, { backend: 'cpu' })).gpuBytes).toBe(0);
    other.destroy();
  });

  it('"gpu" gives back what it holds', async () => {
    const body = await Polyhedron.create(device(), foam, { build: 'gpu' });
    expect((await body.classify(points, { backend: 'gpu' })).gpuBytes).toBeGreaterThan(0);
    body.destroy();
    await expect(body.classify(points)).rejects.toThrow(/destroyed/);
  });
});
