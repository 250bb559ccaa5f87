import { describe, expect, it } from 'vitest';
import { DeviceError } from '../../../src/errors.ts';
import { Clusters } from '../../../src/inside/clusters/clusters.ts';
import { potentialPlan } from '../../../src/inside/plan.ts';
import { directPotential } from '../../../src/inside/potential/solid-angle.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { CpuPotential } from '../../../src/inside/winding/potential-cpu.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { extremeCases, surfaceCases, thinCases } from '../../support/cases.ts';
import { useDevice } from '../../support/device.ts';
import { damaged } from '../../support/open-meshes.ts';
import { joinMeshes, mapMesh, pointsOnSurface, randomPoints } from '../../support/shapes.ts';

const device = useDevice();
const sphere = unitSphere(4);
const foam = openCellFoam({ triangles: 4000, seed: 6 });
const half = new TriangleMesh({ positions: foam.positions, indices: foam.indices.slice(0, 6000) });

async function open(mesh: TriangleMesh, on = device()): Promise<{ clusters: Clusters; host: CpuPotential }> {
  const host = await CpuPotential.create('clusters', mesh, { threads: 1 });
  return { clusters: await Clusters.create(on, localSurface(mesh), host), host };
}

async function evaluate(clusters: Clusters, points: Float32Array, tolerance: number, more: object = {}) {
  const count = points.length / 3;
  const found = { values: new Float32Array(count), bounds: new Float32Array(count) };
  await clusters.evaluate({ points, ...found }, { rule: 'winding', tolerance, ...more });
  return found;
}

/** Holds J against the direct sum in float64, and against the twin. */
async function compare(mesh: TriangleMesh, points: Float32Array, tolerances: readonly number[]) {
  const exact = directPotential(localSurface(mesh), points);
  const { clusters, host } = await open(mesh);
  const results = [];
  for (const tolerance of tolerances) {
    const { values, bounds } = await evaluate(clusters, points, tolerance);
    const twin = { values: new Float64Array(values.length), bounds: new Float64Array(values.length) };
    await host.evaluate({ points, ...twin }, { rule: 'winding', tolerance });
    let [violations, doubtful, over] = [0, 0, 0];
    values.forEach((value, i) => {
      if (!(Math.abs(value - exact.values[i]!) <= bounds[i]! + exact.bounds[i]!)) violations++;
      if (!(Math.abs(value - twin.values[i]!) <= bounds[i]! + twin.bounds[i]!)) violations++;
      if (bounds[i]! >= 1) doubtful++;
      else if (bounds[i]! > tolerance) over++;
    });
    results.push({ tolerance, violations, doubtful, over });
  }
  clusters.destroy();
  return results;
}

const map = (mesh: TriangleMesh, scale: number, [x, y, z] = [0, 0, 0]) =>
  mapMesh(mesh, (a, b, c) => [scale * a + x!, scale * b + y!, scale * c + z!]);
const meshes: readonly (readonly [string, TriangleMesh])[] = [
  ['a sphere', sphere],
  ['a foam', foam],
  ['an open half of a foam', half],
  [
    'a foam with doubled, missing and turned faces',
    damaged(foam, 0.3, ['doubled', 'missing', 'turned'], createRandom(55)),
  ],
  ['forty equal spheres', joinMeshes(Array.from({ length: 40 }, () => unitSphere(2)))],
  ['a foam far from the origin', map(foam, 3, [300, -7, 0.1])],
  ['a graded mesh', joinMeshes([sphere, map(foam, 1e-4, [0.5, 0.4, 0])])],
  ['a tiny sphere', map(sphere, 1e-32)],
  ['a huge sphere', map(sphere, 1e32)],
];

it.each(meshes)(
  'cluster sums of %s are within their bound, and that within the tolerance',
  async (_, mesh) => {
    const random = createRandom(61);
    const points = Float32Array.from([
      ...randomPoints(mesh, 300, random, 0.1),
      ...randomPoints(mesh, 100, random, 30),
    ]);
    for (const { tolerance, violations, doubtful, over } of await compare(
      mesh,
      points,
      [0.4, 0.03, 1e-3, 1e-5],
    )) {
      expect(violations, `${tolerance}`).toBe(0);
      expect(doubtful).toBeLessThan(3);
      if (tolerance > 1e-2) expect(over).toBeLessThan(3);
    }
  },
);

const cases = [...surfaceCases(), ...extremeCases(), ...thinCases()];
it.each(cases.map((c) => [c.name, c] as const))(
  'those of %s keep their bound',
  async (_, { mesh, points }) => {
    for (const set of points) {
      for (const { violations } of await compare(mesh, set.subarray(0, 3 * 300), [0.3, 1e-3])) {
        expect(violations).toBe(0);
      }
    }
  },
);

it('those of points on a triangle doubt them, and few others next to one', async () => {
  const points = pointsOnSurface(foam, 300, createRandom(62));
  const exact = directPotential(localSurface(foam), points);
  const { clusters } = await open(foam);
  const { bounds } = await evaluate(clusters, points, 0.1);
  exact.bounds.forEach((bound, i) => {
    if (bound >= 1) expect(bounds[i]).toBeGreaterThanOrEqual(1);
  });
  const beside = await evaluate(
    clusters,
    points.map((x) => x + 1e-3),
    0.1,
  );
  expect(beside.bounds.filter((bound) => bound > 0.11).length).toBeLessThan(15);
  clusters.destroy();
});

describe('cluster sums on the GPU', () => {
  it('do not depend on which points are asked for together', async () => {
    const points = randomPoints(foam, 500, createRandom(63), 0.1);
    const { clusters } = await open(foam);
    const all = await evaluate(clusters, points, 1e-2);
    const done: number[] = [];
    const part = await evaluate(clusters, points.subarray(3 * 321, 3 * 422), 1e-2, {
      onProgress: (n: number) => done.push(n),
    });
    expect([...part.values]).toEqual([...all.values.subarray(321, 422)]);
    expect([...part.bounds]).toEqual([...all.bounds.subarray(321, 422)]);
    expect(done.at(-1)).toBe(101);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    clusters.destroy();
  });

  it('leave points to float64 that are no float32 numbers in the unit frame, and take those far off', async () => {
    // Its frame begins at the box: points with a smaller exponent than their distance from that are not exact in it.
    const mesh = map(half, 0.5, [1, 1, 1]);
    const random = createRandom(64);
    const near = Float32Array.from({ length: 600 }, () => 1.5 * random() - 1);
    for (const points of [near, Float32Array.of(1e30, 0, 0, -1e6, 1e6, 0)]) {
      const [coarse, fine] = await compare(mesh, points, [1e-2, 1e-9]);
      expect([coarse!.violations, fine!.violations, coarse!.over]).toEqual([0, 0, 0]);
    }
    const { clusters, host } = await open(mesh);
    const found = await evaluate(clusters, near, 1e-9);
    const twin = { values: new Float64Array(200), bounds: new Float64Array(200) };
    await host.evaluate({ points: near, ...twin }, { rule: 'winding', tolerance: 1e-9 });
    const isTwins = found.values.map((value, i) => (value === Math.fround(twin.values[i]!) ? 1 : 0));
    expect(isTwins.reduce((sum, x) => sum + x, 0)).toBeGreaterThan(100);
    // What is off by so little that it does not matter stays on the GPU: its bound is of float32.
    expect(Math.min(...(await evaluate(clusters, near, 1e-2)).bounds)).toBeGreaterThan(1e-8);
    clusters.destroy();
  });

  it('of no triangles are 0', async () => {
    const empty = new TriangleMesh({ positions: new Float32Array(0), indices: new Uint32Array(0) });
    const { clusters } = await open(empty);
    const { values, bounds } = await evaluate(clusters, Float32Array.of(0, 0, 0, 3, 4, 5), 1e-3);
    expect([...values]).toEqual([0, 0]);
    expect(Math.max(...bounds)).toBeLessThan(1e-6);
    clusters.destroy();
  });

  it('stop when they are told to, and give their memory back', async () => {
    const { clusters } = await open(sphere);
    const stopped = evaluate(clusters, new Float32Array(3000), 0.1, { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toThrow();
    expect(clusters.gpuBytes).toBeGreaterThan(40 * sphere.triangleCount);
    clusters.destroy();
    expect(clusters.gpuBytes).toBe(0);
  });

  it('are left to the CPU where triangles do not fit into a binding, unless the GPU is asked for', () => {
    const expansion = { degree: 2, separation: 2, depth: 'auto', points: undefined } as const;
    const choice = { kind: 'clusters', why: 'so', ...expansion } as const;
    const job = { points: 1e6, triangles: 4e6, caps: () => 0 };
    const plan = potentialPlan(choice, 'auto', job, device());
    expect(plan).toMatchObject({
      backend: 'cpu',
      reason: 'so; its triangles do not fit into a binding of the device',
    });
    expect(potentialPlan(choice, 'gpu', job, device()).backend).toBe('gpu');
    expect(potentialPlan(choice, 'auto', { ...job, triangles: 3e6 }, device()).reason).toContain('software');
  });

  it('refuse tables that do not fit into a binding, in one line', async () => {
    const whole = device();
    const limits = { ...whole.limits, maxStorageBufferBindingSize: 1 << 16, maxBufferSize: 1 << 20 };
    const small = new Proxy(whole, {
      get: (target, name) => {
        if (name === 'limits') return limits;
        const value = Reflect.get(target, name, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const error = await open(sphere, small).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(DeviceError);
    expect((error as Error).message).toMatch(
      /^cluster[\w ]*: needs a buffer of \d+ bytes, the device allows 65536 \(maxStorageBufferBindingSize\), /,
    );
  });
});
