import { describe, expect, it } from 'vitest';
import { Polyhedron } from '../../../src/inside/polyhedron.ts';
import { Potentials } from '../../../src/inside/winding/potentials.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { extremeCases } from '../../support/cases.ts';
import { useDevice } from '../../support/device.ts';
import { differences, exactFlags } from '../../support/flags.ts';
import { pointsOnSurface, randomPoints } from '../../support/shapes.ts';

const device = useDevice();
const random = createRandom(313);
const foam = openCellFoam({ triangles: 3000, seed: 2 });
const sphere = unitSphere(4);
/** A sphere without some of its triangles. */
const open = new TriangleMesh({
  positions: sphere.positions,
  indices: sphere.indices.slice(3 * 20),
  name: 'open sphere',
});

const kinds = ['direct', 'clusters', 'multipole'] as const;

describe.each(kinds)('%s on the GPU', (method) => {
  it.each<readonly [string, TriangleMesh]>([
    ['a foam', foam],
    ['a sphere', sphere],
    ...extremeCases().map(({ name, mesh }) => [name, mesh] as const),
  ])('gives exact flags of %s', async (_, mesh) => {
    const points = Float32Array.from([
      ...randomPoints(mesh, 1500, random),
      ...pointsOnSurface(mesh, 500, random),
    ]);
    const polyhedron = await Polyhedron.create(device(), mesh);
    for (const rule of ['odd', 'nonzero'] as const) {
      const result = await polyhedron.classify(points, { method, backend: 'gpu', rule });
      expect(result).toMatchObject({ method, backend: 'gpu' });
      const { build, upload, classify, readback, exact, total } = result.seconds;
      for (const stage of [upload, classify, readback]) expect(stage).toBeGreaterThan(0);
      expect(build + upload + classify + readback + exact).toBeLessThanOrEqual(total);
      expect(differences(result.flags, exactFlags(mesh, points, rule), points), rule).toEqual([]);
    }
    polyhedron.destroy();
  });

  it('gives winding numbers within the tolerance, of a closed surface and of an open one', async () => {
    for (const mesh of [foam, open]) {
      const points = randomPoints(mesh, 2000, random, 0.5);
      const polyhedron = await Polyhedron.create(device(), mesh, { open: true });
      const exact = await polyhedron.windingNumber(points, {
        method: 'direct',
        backend: 'cpu',
        tolerance: 1e-6,
      });
      const found = await polyhedron.windingNumber(points, { method, backend: 'gpu', tolerance: 1e-3 });
      expect(found).toMatchObject({ method, backend: 'gpu' });
      expect(found.gpuBytes).toBeGreaterThan(0);
      let worst = 0;
      let outOfBound = 0;
      for (let i = 0; i < found.values.length; i++) {
        const error = Math.abs(found.values[i]! - exact.values[i]!);
        worst = Math.max(worst, error);
        if (error > found.bounds[i]! + exact.bounds[i]!) outOfBound++;
      }
      expect(outOfBound).toBe(0);
      expect(worst).toBeLessThan(1e-3);
      polyhedron.destroy();
    }
  });

  it('gives the flags of the CPU for an open surface by rule winding', async () => {
    const points = randomPoints(open, 3000, random, 0.2);
    const polyhedron = await Polyhedron.create(device(), open, { open: true });
    const [cpu, gpu] = await Promise.all(
      (['cpu', 'gpu'] as const).map((backend) =>
        polyhedron.classify(points, { method, backend, rule: 'winding' }),
      ),
    );
    expect(differences(gpu!.flags, cpu!.flags, points)).toEqual([]);
    expect(gpu!.counts.inside).toBeGreaterThan(500);
    polyhedron.destroy();
  });
});

it('a set-up stops when its signal is aborted, and is not kept', async () => {
  const potentials = new Potentials(foam, 1);
  const expansion = { degree: 2, separation: 1.6, depth: 3, points: undefined } as const;
  const choice = { kind: 'multipole', why: 'of this test', ...expansion } as const;
  const controller = new AbortController();
  const pending = potentials.get(choice, 'gpu', device(), { signal: controller.signal });
  setTimeout(() => controller.abort(new Error('enough')), 0);
  await expect(pending).rejects.toThrow('enough');
  const kept = await potentials.get(choice, 'gpu', device());
  expect(kept.gpuBytes).toBeGreaterThan(0);
  potentials.destroy();
});
