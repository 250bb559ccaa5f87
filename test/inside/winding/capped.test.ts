/**
 * Winding numbers from the cell grid of a mesh closed by caps, and from clusters. `SCREE_CASES=1000000 npx vitest run
 * test/inside/winding/capped.test.ts` asks for so many points instead of a sample.
 */
import { describe, expect, it } from 'vitest';
import { Polyhedron } from '../../../src/inside/polyhedron.ts';
import { directPotential } from '../../../src/inside/potential/solid-angle.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { capTriangles } from '../../../src/inside/winding/caps.ts';
import { isBalanced, unbalancedHalfEdges } from '../../../src/mesh/balance.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { damaged, openMeshes } from '../../support/open-meshes.ts';
import { boxMesh, joinMeshes, mapMesh, pointsOnSurface, randomPoints } from '../../support/shapes.ts';

const CASES = Number(process.env.SCREE_CASES ?? 20_000);
const random = createRandom(191);

const foam = openCellFoam({ triangles: 3000, seed: 5 });
const meshes = openMeshes(random);

describe.each(meshes)('caps of %s', (_, mesh) => {
  const boundary = unbalancedHalfEdges(mesh.indices, mesh.vertexCount);
  const caps = capTriangles(boundary);

  it('close it', () => {
    expect(isBalanced(Uint32Array.from([...mesh.indices, ...caps]), mesh.vertexCount)).toBe(true);
    expect(caps.length / 3).toBeLessThanOrEqual(boundary.length / 2);
    expect(boundary.length === 0).toBe(isBalanced(mesh.indices, mesh.vertexCount));
  });

  it('leave winding numbers within their bounds, on faces and caps too', async () => {
    const count = Math.ceil(CASES / meshes.length);
    const points = Float32Array.from([
      ...randomPoints(mesh, count, random, 0.2),
      ...pointsOnSurface(mesh, 200, random),
      ...(caps.length > 0
        ? pointsOnSurface(new TriangleMesh({ positions: mesh.positions, indices: caps }), 100, random)
        : []),
    ]);
    const exact = directPotential(localSurface(mesh), points);
    const body = await Polyhedron.create(undefined, mesh, { open: true });
    for (const method of ['cell-grid', 'clusters'] as const) {
      for (const tolerance of [0.2, 1e-3, 1e-5, Infinity]) {
        const { values, bounds, overTolerance } = await body.windingNumber(points, { method, tolerance });
        let broken = 0;
        let wide = 0;
        values.forEach((value, i) => {
          if (!(Math.abs(value - exact.values[i]!) <= bounds[i]! + exact.bounds[i]!)) broken++;
          if (i < count && !(bounds[i]! <= Math.min(tolerance, 1e-3 + tolerance))) wide++;
        });
        expect([broken, wide], `${method} ${tolerance}`).toEqual([0, 0]);
        // On a triangle, or as good as on it.
        const over = bounds.reduce((n, bound) => n + (bound > tolerance ? 1 : 0), 0);
        expect(overTolerance).toBe(over);
      }
    }
    body.destroy();
  });
});

it('winding numbers that no byte holds are exact', async () => {
  const layers = joinMeshes(
    Array.from({ length: 300 }, (_, i) => boxMesh([-1 - i / 64, -1, -1], [1 + i / 64, 1, 1])),
  );
  const body = await Polyhedron.create(undefined, layers);
  const points = Float32Array.of(0, 0, 0, 1.503, 0.25, 0.125, 6, 0, 0, 4.3, 0.5, 0.5, -5.666, 0, 0);
  const { values } = await body.windingNumber(points, { method: 'cell-grid' });
  expect([...values]).toEqual([300, 267, 0, 88, 1]);
  body.destroy();
});

it('winding numbers in the blocks of crowded cells are exact', async () => {
  const small = mapMesh(unitSphere(5), (x, y, z) => [0.004 * x + 0.3, 0.004 * y + 0.7, 0.004 * z + 0.4]);
  const inner = mapMesh(small, (x, y, z) => [0.3 + (x - 0.3) / 2, 0.7 + (y - 0.7) / 2, 0.4 + (z - 0.4) / 2]);
  const mesh = joinMeshes([boxMesh([0, 0, 0], [1, 1, 1]), small, inner]);
  const points = randomPoints(small, 3000, random, 0.3);
  const exact = directPotential(localSurface(mesh), points);
  const body = await Polyhedron.create(undefined, mesh);
  const { values } = await body.windingNumber(points, { method: 'cell-grid' });
  expect([...values]).toEqual([...exact.values].map(Math.round));
  expect(new Set(values)).toEqual(new Set([1, 2, 3]));
  body.destroy();
});

it.each(['cell-grid', 'clusters'] as const)(
  'a point has the same number whatever others are asked about: %s',
  async (method) => {
    const mesh = damaged(foam, 0.05, ['missing', 'turned', 'doubled'], random);
    const body = await Polyhedron.create(undefined, mesh, { open: true });
    const points = Float32Array.from([
      ...randomPoints(mesh, 3000, random, 0.1),
      ...pointsOnSurface(mesh, 1500, random),
    ]);
    const whole = await body.windingNumber(points, { method });
    const parts = [];
    for (let from = 0; from < points.length; from += 3 * 900) {
      parts.push(await body.windingNumber(points.slice(from, from + 3 * 900), { method }));
    }
    expect(parts.flatMap(({ values }) => [...values])).toEqual([...whole.values]);
    expect(parts.flatMap(({ bounds }) => [...bounds])).toEqual([...whole.bounds]);
    body.destroy();
  },
);

it('flags beside J = 1/2 are those of direct sums', async () => {
  const mesh = damaged(unitSphere(4), 0.08, ['missing'], random);
  const surface = localSurface(mesh);
  const missing = capTriangles(unbalancedHalfEdges(mesh.indices, mesh.vertexCount));
  const at = (cap: number, part: number) =>
    [0, 1, 2].map((k) => {
      const corners = missing.subarray(3 * cap, 3 * cap + 3);
      return part * corners.reduce((sum, v) => sum + mesh.positions[3 * v + k]! / 3, 0);
    });
  // Across each hole J falls from 1 to 0.
  const points: number[] = [];
  for (let cap = 0; cap < 80; cap++) {
    let [inner, outer] = [0.8, 1.2];
    while (outer - inner > 2 ** (-4 - (cap % 16))) {
      const middle = (inner + outer) / 2;
      const [value] = directPotential(surface, Float32Array.from(at(cap, middle))).values;
      if (value! > 0.5) inner = middle;
      else outer = middle;
    }
    points.push(...at(cap, inner), ...at(cap, outer));
  }
  const asked = Float32Array.from(points);
  const exact = directPotential(surface, asked);
  const body = await Polyhedron.create(undefined, mesh, { open: true });
  for (const method of ['cell-grid', 'clusters', 'direct'] as const) {
    const { flags, undecided } = await body.classify(asked, { rule: 'winding', method });
    expect([...flags]).toEqual([...exact.values].map((value) => Number(value > 0.5)));
    expect(undecided).toBe(0);
  }
  const nearest = Math.min(...[...exact.values].map((value) => Math.abs(value - 0.5)));
  expect(nearest).toBeLessThan(1e-4);
  body.destroy();
});

it('auto takes the cell grid also where a tenth of the faces are missing', async () => {
  const mesh = damaged(openCellFoam({ triangles: 20_000, seed: 2 }), 0.1, ['missing'], random);
  const body = await Polyhedron.create(undefined, mesh, { open: true });
  const points = randomPoints(mesh, 1000, random);
  for (const tolerance of [0.1, 1e-2, 1e-3]) {
    const result = await body.windingNumber(points, { tolerance, expectedPoints: 512_000 });
    expect(result.method).toBe('cell-grid');
    expect(result.sharpened).toBeLessThan(50);
  }
  body.destroy();
});
