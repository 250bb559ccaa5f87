import { describe, expect, it } from 'vitest';
import { DirectPotential } from '../../../src/inside/direct/direct.ts';
import { directPotential } from '../../../src/inside/potential/solid-angle.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { extremeCases, surfaceCases } from '../../support/cases.ts';
import { useDevice } from '../../support/device.ts';
import { mapMesh, pointsOnSurface, randomPoints, voxelMesh } from '../../support/shapes.ts';

const device = useDevice();
const run = { rule: 'odd' } as const;
const sphere = unitSphere(3);
const half = new TriangleMesh({ positions: sphere.positions, indices: sphere.indices.slice(0, 900) });

async function compare(mesh: TriangleMesh, points: Float32Array, largestBinding?: number) {
  const direct = await DirectPotential.create(device(), mesh, { largestBinding });
  const count = points.length / 3;
  const [values, bounds] = [new Float32Array(count), new Float32Array(count)];
  try {
    await direct.evaluate({ points, values, bounds }, run);
    const exact = directPotential(localSurface(mesh), points);
    let [violations, largest, doubtful] = [0, 0, 0];
    values.forEach((value, i) => {
      const error = Math.abs(value - exact.values[i]!);
      if (!(error <= bounds[i]! + exact.bounds[i]!)) violations++;
      if (bounds[i]! >= 1) doubtful++;
      else largest = Math.max(largest, error);
    });
    return { values, bounds, violations, largest, doubtful, pages: direct.pageCount };
  } finally {
    direct.destroy();
  }
}

describe('the direct sum on the GPU', () => {
  const bodies = [
    ['a cube', voxelMesh(6, 1 / 6, () => true)],
    ['a foam', openCellFoam({ triangles: 2000, seed: 6 })],
    ['an open half of a sphere', half],
    ['a sphere far from the origin', mapMesh(sphere, (x, y, z) => [x + 1e5, y - 3e3, z + 7])],
    ['a tiny sphere', mapMesh(sphere, (x, y, z) => [1e-32 * x, 1e-32 * y, 1e-32 * z])],
    ['a huge sphere', mapMesh(sphere, (x, y, z) => [1e32 * x, 1e32 * y, 1e32 * z])],
  ] as const;

  it.each(bodies)('of %s is that of its twin within the bound', async (_name, mesh) => {
    const random = createRandom(71);
    for (const margin of [0.05, 30]) {
      const { violations, largest, doubtful } = await compare(mesh, randomPoints(mesh, 500, random, margin));
      expect(violations).toBe(0);
      expect(largest).toBeLessThan(1e-4);
      expect(doubtful).toBeLessThan(3);
    }
  });

  it('doubts every point on a triangle, and few others next to one', async () => {
    const [, foam] = bodies[1];
    const points = pointsOnSurface(foam, 500, createRandom(72));
    const { violations, bounds } = await compare(foam, points);
    expect(violations).toBe(0);
    const exact = directPotential(localSurface(foam), points);
    exact.bounds.forEach((bound, i) => {
      if (bound >= 1) expect(bounds[i]).toBeGreaterThanOrEqual(1);
    });
    const moved = points.map((x) => x + 1e-3);
    expect((await compare(foam, moved)).doubtful).toBeLessThan(25);
  });

  const cases = [...surfaceCases(), ...extremeCases()];
  it.each(cases.map((c) => [c.name, c] as const))(
    'of %s keeps its bound',
    async (_name, { mesh, points }) => {
      for (const set of points) {
        const { violations } = await compare(mesh, set.subarray(0, 3 * 600));
        expect(violations).toBe(0);
      }
    },
  );

  it('is the same in pages, bit for bit', async () => {
    const [, foam] = bodies[1];
    const points = randomPoints(foam, 301, createRandom(73));
    const whole = await compare(foam, points);
    const paged = await compare(foam, points, 4 * 10 * 700);
    expect(paged.pages).toBeGreaterThan(2);
    expect([...paged.values]).toEqual([...whole.values]);
    expect([...paged.bounds]).toEqual([...whole.bounds]);
  });

  it('of no triangles is 0, also far away', async () => {
    const empty = new TriangleMesh({ positions: new Float32Array(0), indices: new Uint32Array(0) });
    const { values, violations } = await compare(empty, Float32Array.of(0, 0, 0, 3, 4, 5));
    expect([...values]).toEqual([0, 0]);
    expect(violations).toBe(0);
    const far = await compare(sphere, Float32Array.of(1e30, 0, 0, -1e6, 1e6, 0));
    expect(far.violations).toBe(0);
    expect([...far.bounds].every((bound) => bound < 1e-9)).toBe(true);
    // The angle of an open surface is not 0, though float32 has no such number.
    const open = await compare(half, Float32Array.of(1e30, 0, 0));
    expect(open.bounds[0]).toBeGreaterThan(0);
    expect(open.bounds[0]).toBeLessThan(1e-30);
  });

  it('stops when it is told to', async () => {
    const direct = await DirectPotential.create(device(), sphere);
    const count = 1000;
    const stopped = direct.evaluate(
      {
        points: randomPoints(sphere, count, createRandom(74)),
        values: new Float32Array(count),
        bounds: new Float32Array(count),
      },
      { ...run, signal: AbortSignal.abort() },
    );
    await expect(stopped).rejects.toThrow();
    direct.destroy();
    expect(direct.gpuBytes).toBe(0);
  });
});
