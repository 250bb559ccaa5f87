import { describe, expect, it } from 'vitest';
import { DeviceError, InputError } from '../../../src/errors.ts';
import { DOUBTFUL } from '../../../src/inside/classification.ts';
import { certifyClosed } from '../../../src/inside/multipole/certify.ts';
import { evaluateMultipole } from '../../../src/inside/multipole/evaluate.ts';
import { expandInSteps, finishSteps, setUpMultipole } from '../../../src/inside/multipole/field.ts';
import { type GpuMultipoleOptions, Multipole } from '../../../src/inside/multipole/multipole.ts';
import { buildPanels } from '../../../src/inside/multipole/panels.ts';
import { directPotential, type PotentialValues } from '../../../src/inside/potential/solid-angle.ts';
import { localSurface, type Surface } from '../../../src/inside/surface.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { extremeCases, surfaceCases, windingCases } from '../../support/cases.ts';
import { useDevice } from '../../support/device.ts';
import { differences, exactFlags } from '../../support/flags.ts';
import {
  boxMesh,
  joinMeshes,
  mapMesh,
  pointsOnSurface,
  randomPoints,
  voxelMesh,
} from '../../support/shapes.ts';

const device = useDevice();
const run = { rule: 'odd' } as const;
const cube = voxelMesh(12, 1 / 12, () => true);
const sphere = unitSphere(3);
const foam = openCellFoam({ triangles: 3000, seed: 6 });
const graded = joinMeshes([
  boxMesh([-20, -2, -2], [3, 2, 2]),
  mapMesh(unitSphere(3), (x, y, z) => [0.5 * x, 0.5 * y, 0.5 * z]),
]);

async function evaluate(mesh: TriangleMesh, points: Float32Array, options: GpuMultipoleOptions) {
  const multipole = await Multipole.create(device(), mesh, { depth: 3, ...options });
  const count = points.length / 3;
  const [values, bounds] = [new Float32Array(count), new Float32Array(count)];
  await multipole.evaluate({ points, values, bounds }, run);
  multipole.destroy();
  return { values, bounds };
}

/** The twin of what kernels sum: panels instead of triangles. */
function twinOnPanels(surface: Surface, options: { p: number; d: number; depth: number }) {
  const { source, evaluation, p, q, errorDegree, d } = setUpMultipole(surface, options);
  const panels = buildPanels(surface, source, evaluation);
  const tree = { ...panels.source, order: source.order };
  const near = { ...evaluation, nearRanges: panels.nearRanges };
  return finishSteps(expandInSteps(surface, tree, near, { p, q, errorDegree, d, closed: true }));
}

interface Found {
  readonly values: ArrayLike<number>;
  readonly bounds: ArrayLike<number>;
}

function errors(found: Found, exact: PotentialValues) {
  let [largest, violations, largestBound, doubtful] = [0, 0, 0, 0];
  for (let i = 0; i < exact.values.length; i++) {
    const error = Math.abs(found.values[i]! - exact.values[i]!);
    if (!(error <= found.bounds[i]! + exact.bounds[i]!)) violations++;
    if (found.bounds[i]! >= 1) {
      doubtful++;
      continue;
    }
    // An ulp beside the surface even the twin does not know the side.
    if (exact.bounds[i]! < 0.5) largest = Math.max(largest, error);
    largestBound = Math.max(largestBound, found.bounds[i]!);
  }
  return { largest, violations, largestBound, doubtful };
}

describe.each([
  ['a cube', cube],
  ['a sphere', sphere],
  ['a foam', foam],
  ['a graded mesh', graded],
])('the potential of %s on the GPU', (_name, mesh) => {
  const random = createRandom(91);
  const points = new Float32Array(3 * 1000);
  points.set(randomPoints(mesh, 800, random, 0.02));
  points.set(pointsOnSurface(mesh, 200, random), 3 * 800);
  const surface = localSurface(mesh);
  const exact = directPotential(surface, points);

  it.each([
    [1, 1.01, 3],
    [2, 1.6, 3],
    [3, 1.3, 3],
    [4, 1.6, 2],
    [5, 2, 2],
    [6, 1.6, 2],
    [7, 3, 2],
    [8, 1.6, 2],
  ])('is within its bound and that of its twin: degree %i, separation %f, depth %i', async (p, d, depth) => {
    const found = await evaluate(mesh, points, { degree: p, separation: d, depth });
    const { violations, doubtful } = errors(found, exact);
    expect(violations).toBe(0);
    // The points on the surface, and hardly any other; but degree 1 promises little, and so do clusters that touch.
    if (p > 1 && d > 1.5) expect(doubtful).toBeLessThan(215);
    const twin = evaluateMultipole(twinOnPanels(surface, { p, d, depth }), points);
    for (let i = 0; i < exact.values.length; i++) {
      // Outside the box the kernels know that J is 0.
      if (found.bounds[i]! >= 1 || found.bounds[i] === 0) continue;
      // Points that kernels may not see as they are go to the host, whose sum leaves less out.
      if (points.subarray(3 * i, 3 * i + 3).some((x) => x !== 0 && Math.abs(x) < 2 ** -120)) continue;
      // What float32 changes, both in the value and in the bound, is far below what the degree leaves out.
      expect(Math.abs(found.values[i]! - twin.values[i]!)).toBeLessThan(2e-5);
      if (twin.bounds[i]! < 1) expect(found.bounds[i]! - twin.bounds[i]!).toBeLessThan(0.05);
      expect(found.bounds[i]).toBeGreaterThan(0.999 * Math.min(twin.bounds[i]!, 1));
    }
  });

  it('is within its bound at every depth', async () => {
    for (const depth of ['auto', 'well-chosen', 'pre-chosen', 0, 1, 4] as const) {
      const found = await evaluate(mesh, points, { depth, points: 1e5 });
      expect(errors(found, exact).violations, `${depth}`).toBe(0);
    }
  });

  it('is within 1e-3 everywhere for degree 6 and separation 1.6', async () => {
    const found = await evaluate(mesh, points, { degree: 6, separation: 1.6 });
    expect(errors(found, exact).largest).toBeLessThan(1e-3);
  });
});

describe('flags of degree 2', () => {
  const cases = [...surfaceCases(), ...windingCases(), ...extremeCases()];
  it.each(cases.map((c) => [c.name, c] as const))('of %s are exact', async (_name, { mesh, points }) => {
    const multipole = await Multipole.create(device(), mesh, { depth: 3 });
    for (const set of points) {
      const count = set.length / 3;
      const [values, bounds] = [new Float32Array(count), new Float32Array(count)];
      await multipole.evaluate({ points: set, values, bounds }, run);
      for (const rule of ['odd', 'nonzero'] as const) {
        const exact = exactFlags(mesh, set, rule);
        const potential = { values: Float64Array.from(values), bounds: Float64Array.from(bounds) };
        const flags = certifyClosed(potential, rule).map((flag, i) => (flag === DOUBTFUL ? exact[i]! : flag));
        expect(differences(flags, exact, set), rule).toEqual([]);
      }
    }
    multipole.destroy();
  });
});

describe('an open mesh', () => {
  const half = new TriangleMesh({
    positions: foam.positions,
    indices: foam.indices.filter((_, i) => Math.floor(i / 3) % 2 === 0),
  });

  it('has a potential everywhere: in its box, its cube, and outside', async () => {
    const random = createRandom(92);
    for (const margin of [0.05, 5]) {
      for (const mesh of [half, mapMesh(half, (x, y, z) => [x + 300, y - 7, 3 * z])]) {
        const points = randomPoints(mesh, 600, random, margin);
        const found = await evaluate(mesh, points, { degree: 3 });
        const { violations, doubtful } = errors(found, directPotential(localSurface(mesh), points));
        expect(violations).toBe(0);
        expect(doubtful).toBeLessThan(3);
      }
    }
  });

  it('of doubled and turned faces keeps its bound', async () => {
    const random = createRandom(93);
    const dirty = new TriangleMesh({
      positions: sphere.positions,
      indices: Uint32Array.from(
        Array.from({ length: sphere.triangleCount }, (_, t) => t).flatMap((t) => {
          const [a, b, c] = sphere.indices.subarray(3 * t, 3 * t + 3);
          const kind = random();
          if (kind < 0.1) return [a!, b!, c!, a!, b!, c!, b!, c!, a!];
          return kind < 0.2 ? [a!, c!, b!] : [a!, b!, c!];
        }),
      ),
    });
    const points = randomPoints(dirty, 1000, random, 0.2);
    const found = await evaluate(dirty, points, { degree: 4, separation: 2 });
    const { violations } = errors(found, directPotential(localSurface(dirty), points));
    expect(violations).toBe(0);
  });
});

describe('the multipole method on the GPU', () => {
  it('knows that a closed surface has no potential outside its box', async () => {
    const far = Float32Array.of(2, 0.5, 0.5, -1e30, 0, 1e20, 1.0001, 0.5, 0.5);
    const { values, bounds } = await evaluate(cube, far, {});
    expect([...values, ...bounds]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('gives 0 for a mesh without triangles', async () => {
    const empty = new TriangleMesh({ positions: new Float32Array(0), indices: new Uint32Array(0) });
    const { values, bounds } = await evaluate(empty, Float32Array.of(0, 0, 0, 9, 9, 9), { closed: false });
    expect([...values]).toEqual([0, 0]);
    expect(Math.max(...bounds)).toBeLessThan(1e-5);
  });

  it('of every degree takes a mesh that has no far field', async () => {
    const box = boxMesh([0, 0, 0], [1, 1, 1]);
    for (let degree = 1; degree <= 8; degree++) {
      const { values, bounds } = await evaluate(box, Float32Array.of(0.4, 0.5, 0.7), {
        degree,
        depth: 'auto',
      });
      expect(Math.abs(values[0]! - 1)).toBeLessThan(bounds[0]!);
      expect(bounds[0]).toBeLessThan(1e-3);
    }
  });

  it('promises no less than a whole turn for each of many layers that a point is as good as on', async () => {
    for (const layers of [23, 40]) {
      const many = joinMeshes(Array.from({ length: layers }, () => boxMesh([0, 0, 0], [1, 1, 1])));
      const { values, bounds } = await evaluate(many, Float32Array.of(1e-25, 0.5, 0.75), { depth: 2 });
      expect(Math.abs(values[0]! - layers)).toBeLessThanOrEqual(bounds[0]!);
    }
  });

  it('does not depend on which points are asked for together', async () => {
    const points = randomPoints(foam, 500, createRandom(94));
    const multipole = await Multipole.create(device(), foam, { depth: 3 });
    const all = { points, values: new Float32Array(500), bounds: new Float32Array(500) };
    await multipole.evaluate(all, run);
    const some = points.subarray(3 * 321, 3 * 421);
    const part = { points: some, values: new Float32Array(100), bounds: new Float32Array(100) };
    const done: number[] = [];
    await multipole.evaluate(part, { ...run, onProgress: (n) => done.push(n) });
    expect([...part.values]).toEqual([...all.values.subarray(321, 421)]);
    expect([...part.bounds]).toEqual([...all.bounds.subarray(321, 421)]);
    expect(done.at(-1)).toBe(100);
    multipole.destroy();
  });

  it('says what it holds and where its time went, and gives the memory back', async () => {
    const multipole = await Multipole.create(device(), foam, { degree: 3, separation: 2, depth: 3 });
    const { degree, separation, level, tableBytes, gpuBytes, seconds } = multipole;
    expect({ degree, separation, level }).toEqual({ degree: 3, separation: 2, level: 3 });
    expect(gpuBytes).toBeGreaterThan(5 * 16 * 8 ** 3);
    expect(tableBytes).toBe(gpuBytes);
    const stages = [
      'trees',
      'lists',
      'panels',
      'nearField',
      'upload',
      'p2m',
      'm2m',
      'norms',
      'm2l',
      'bounds',
      'l2l',
    ];
    expect(Object.keys(seconds).sort()).toEqual([...stages, 'total'].sort());
    // The near field is built while the GPU works.
    const { total, nearField, ...others } = seconds;
    const sum = Object.values(others).reduce((s, x) => s + x, 0);
    expect(sum).toBeLessThanOrEqual(total);
    expect(sum + nearField).toBeGreaterThan(0.5 * total);
    multipole.destroy();
    expect(multipole.gpuBytes).toBe(0);
  });

  it('stops when it is told to', async () => {
    const stopped = { signal: AbortSignal.abort() };
    await expect(Multipole.create(device(), foam, stopped)).rejects.toThrow();
    const multipole = await Multipole.create(device(), foam, { depth: 2 });
    const out = { values: new Float32Array(1), bounds: new Float32Array(1) };
    await expect(
      multipole.evaluate({ points: Float32Array.of(0.5, 0.5, 0.5), ...out }, { ...run, ...stopped }),
    ).rejects.toThrow();
    multipole.destroy();
  });

  it('names options that it cannot use', async () => {
    const refused = async (options: GpuMultipoleOptions) => {
      const error = await Multipole.create(device(), cube, options).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(InputError);
      return (error as Error).message;
    };
    expect(await refused({ degree: 0 })).toBe('degree is 0, expected an integer from 1 to 8');
    expect(await refused({ degree: 9 })).toBe('degree is 9, expected an integer from 1 to 8');
    expect(await refused({ separation: 1 })).toBe('separation is 1, expected a finite number above 1');
    expect(await refused({ depth: 11 })).toContain('depth is 11, expected');
    expect(await refused({ depth: 'well-chosen' })).toContain('needs the number of points');
  });

  it('refuses tables that do not fit into a binding, in one line', async () => {
    const open = device();
    const limits = { ...open.limits, maxStorageBufferBindingSize: 1 << 16, maxBufferSize: 1 << 20 };
    const small = new Proxy(open, {
      get: (target, name) => {
        if (name === 'limits') return limits;
        const value = Reflect.get(target, name, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const error = await Multipole.create(small, foam, { depth: 4 }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(DeviceError);
    expect((error as Error).message).toMatch(
      new RegExp(
        String.raw`^multipole [\w ]+: needs a buffer of \d+ bytes, the device allows 65536 ` +
          String.raw`\(maxStorageBufferBindingSize\), openDevice`,
      ),
    );
  });
});
