/** Winding numbers and flags by rule winding from the cell grid's kernels, of meshes that are closed by caps. */
import { describe, expect, it } from 'vitest';
import { Polyhedron } from '../../../src/inside/polyhedron.ts';
import { directPotential } from '../../../src/inside/potential/solid-angle.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { capTriangles } from '../../../src/inside/winding/caps.ts';
import { unbalancedHalfEdges } from '../../../src/mesh/balance.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { extremeCases, windingCases } from '../../support/cases.ts';
import { useDevice } from '../../support/device.ts';
import { differences } from '../../support/flags.ts';
import { damaged, openMeshes } from '../../support/open-meshes.ts';
import { boxMesh, joinMeshes, mapMesh, pointsOnSurface, randomPoints } from '../../support/shapes.ts';

const device = useDevice();
const random = createRandom(733);
/** Random points of a mesh. */
const RANDOM = 700;
const method = 'cell-grid';
const backend = 'gpu';

/** Points around a mesh, on its triangles and on its caps. */
function pointsOf(mesh: TriangleMesh, count: number): Float32Array {
  const caps = capTriangles(unbalancedHalfEdges(mesh.indices, mesh.vertexCount));
  const on = caps.length > 0 ? new TriangleMesh({ positions: mesh.positions, indices: caps }) : mesh;
  return Float32Array.from([
    ...randomPoints(mesh, count, random, 0.2),
    ...pointsOnSurface(mesh, 200, random),
    ...pointsOnSurface(on, 100, random),
  ]);
}

const open = new Map(openMeshes(createRandom(8)));
const far = mapMesh(open.get('a sphere with holes')!, (x, y, z) => [x + 3e5, 10 * y - 1e6, 100 * z]);
const huge = mapMesh(open.get('a foam with all kinds of damage')!, (x, y, z) => [
  x * 1e37,
  y * 1e37,
  z * 1e37,
]);

describe.each<readonly [string, TriangleMesh]>([
  ...openMeshes(random),
  ['a sphere with holes, far away', far],
  ['a huge foam with damage', huge],
  ...[...windingCases(), ...extremeCases()]
    // Points around it would overflow.
    .filter(({ name }) => name !== '3e38')
    .map(({ name, mesh }) => [name, mesh] as const),
])('%s on the GPU', (_, mesh) => {
  it('has winding numbers within their bounds, and exact ones where it is closed', async () => {
    const points = pointsOf(mesh, RANDOM);
    const exact = directPotential(localSurface(mesh), points);
    const isClosed = unbalancedHalfEdges(mesh.indices, mesh.vertexCount).length === 0;
    const body = await Polyhedron.create(device(), mesh, { open: true });
    for (const tolerance of [0.2, 1e-4, Infinity]) {
      const found = await body.windingNumber(points, { method, backend, tolerance });
      expect(found).toMatchObject({ method, backend, adapter: device().adapter });
      expect(found.gpuBytes).toBeGreaterThan(0);
      // Those on triangles and caps: what float32 leaves above the tolerance is summed up over the caps alone.
      expect(found.sharpened).toBeLessThanOrEqual(points.length / 3 - RANDOM);
      let [broken, wide] = [0, 0];
      found.values.forEach((value, i) => {
        if (!(Math.abs(value - exact.values[i]!) <= found.bounds[i]! + exact.bounds[i]!)) broken++;
        // On a triangle nothing is known.
        if (i >= RANDOM || exact.bounds[i]! > 0.5) return;
        const most = isClosed ? 0 : tolerance;
        if (!(found.bounds[i]! <= most)) wide++;
      });
      expect([broken, wide], `${tolerance}`).toEqual([0, 0]);
    }
    body.destroy();
  });

  it('has the flags of the CPU by rule winding', async () => {
    const points = pointsOf(mesh, RANDOM);
    const body = await Polyhedron.create(device(), mesh, { open: true });
    const [gpu, cpu] = await Promise.all(
      (['gpu', 'cpu'] as const).map((on) => body.classify(points, { method, backend: on, rule: 'winding' })),
    );
    expect(gpu).toMatchObject({ method, backend });
    expect(gpu!.gpuBytes).toBeGreaterThan(0);
    const { build, upload, classify, readback, exact, total } = gpu!.seconds;
    for (const stage of [upload, classify, readback]) expect(stage).toBeGreaterThan(0);
    expect(build + upload + classify + readback + exact).toBeLessThanOrEqual(total);
    expect(differences(gpu!.flags, cpu!.flags, points)).toEqual([]);
    body.destroy();
  });
});

it('is what auto takes for backend gpu, and leaves to the CPU where the adapter is software', async () => {
  const mesh = open.get('a sphere with holes')!;
  const points = randomPoints(mesh, 40_000, random, 0.2);
  const body = await Polyhedron.create(device(), mesh, { open: true });
  const asked = await body.windingNumber(points, { backend });
  expect(asked).toMatchObject({ method, backend });
  expect(asked.reason).toMatch(/closed by \d+ triangles; gpu was asked for/);
  const auto = await body.windingNumber(points);
  expect(auto).toMatchObject({ method, backend: device().adapter.software ? 'cpu' : 'gpu' });
  expect(auto.gpuBytes > 0).toBe(auto.backend === 'gpu');
  body.destroy();
});

it('winding numbers that no byte holds are exact', async () => {
  const layers = joinMeshes(
    Array.from({ length: 300 }, (_, i) => boxMesh([-1 - i / 64, -1, -1], [1 + i / 64, 1, 1])),
  );
  const body = await Polyhedron.create(device(), layers);
  const points = Float32Array.of(0, 0, 0, 1.503, 0.25, 0.125, 6, 0, 0, 4.3, 0.5, 0.5, -5.666, 0, 0);
  const { values, bounds } = await body.windingNumber(points, { method, backend });
  expect([...values]).toEqual([300, 267, 0, 88, 1]);
  expect([...bounds]).toEqual([0, 0, 0, 0, 0]);
  body.destroy();
});

it('a point has the same number whatever others are asked about, in as many pieces', async () => {
  const foam = openCellFoam({ triangles: 3000, seed: 5 });
  const mesh = damaged(foam, 0.05, ['missing', 'turned', 'doubled'], random);
  const points = pointsOf(mesh, 3000);
  const body = await Polyhedron.create(device(), mesh, { open: true });
  const whole = await body.windingNumber(points, { method, backend });
  const parts = [];
  for (let from = 0; from < points.length; from += 3 * 900) {
    parts.push(await body.windingNumber(points.slice(from, from + 3 * 900), { method, backend }));
  }
  expect(parts.flatMap(({ values }) => [...values])).toEqual([...whole.values]);
  expect(parts.flatMap(({ bounds }) => [...bounds])).toEqual([...whole.bounds]);
  body.destroy();
});

it('tells progress that grows to all points, and stops for its signal', async () => {
  const mesh = open.get('a sphere with holes')!;
  const points = randomPoints(unitSphere(1), 200_000, random);
  const body = await Polyhedron.create(device(), mesh, { open: true });
  const done: number[] = [];
  await body.windingNumber(points, { method, backend, onProgress: (n) => done.push(n) });
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(done.at(-1)).toBe(200_000);
  const controller = new AbortController();
  const stopped = body.windingNumber(points, {
    ...{ method, backend, signal: controller.signal },
    onProgress: () => controller.abort(new Error('enough')),
  });
  await expect(stopped).rejects.toThrow('enough');
  const { values } = await body.windingNumber(points.subarray(0, 3), { method, backend });
  expect(values.length).toBe(1);
  body.destroy();
});

it('buffers of a call are given back, tables are kept', async () => {
  const body = await Polyhedron.create(device(), open.get('a bowl')!, { open: true });
  const points = randomPoints(unitSphere(1), 100_000, random);
  const first = await body.windingNumber(points, { method, backend });
  const second = await body.windingNumber(points, { method, backend });
  expect(second.gpuBytes).toBe(first.gpuBytes);
  const { gpuBytes } = await body.classify(points, { method, backend, rule: 'winding' });
  // Points and what is made of them.
  expect(gpuBytes).toBeGreaterThan(first.gpuBytes + 12 * 2 ** 16);
  body.destroy();
});
