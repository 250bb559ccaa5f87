/**
 * Winding numbers and flags by the potential, as callers get them: `Polyhedron.windingNumber`, methods and rule of
 * `classify`.
 */
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import type { ClassifyOptions } from '../../../src/inside/options.ts';
import { Polyhedron } from '../../../src/inside/polyhedron.ts';
import { directPotential, type PotentialValues } from '../../../src/inside/potential/solid-angle.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { CpuPotential } from '../../../src/inside/winding/potential-cpu.ts';
import type { WindingOptions } from '../../../src/inside/winding/winding-number.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import {
  alignedCases,
  extremeCases,
  surfaceCases,
  windingCases,
  zeroAreaCases,
} from '../../support/cases.ts';
import { differences, exactFlags } from '../../support/flags.ts';
import { boxMesh, joinMeshes, mapMesh, pointsOnSurface, randomPoints } from '../../support/shapes.ts';

const sphere = unitSphere(4);
const foam = openCellFoam({ triangles: 4000, seed: 6 });

/** The mesh with some triangles left out. */
function without(mesh: TriangleMesh, removed: ReadonlySet<number>): TriangleMesh {
  return new TriangleMesh({
    positions: mesh.positions,
    indices: mesh.indices.filter((_, i) => !removed.has(Math.floor(i / 3))),
    name: 'torn',
  });
}

/** Numbers of so many different triangles. */
function someTriangles(mesh: TriangleMesh, count: number, random: () => number): Set<number> {
  const some = new Set<number>();
  while (some.size < count) some.add(Math.floor(random() * mesh.triangleCount));
  return some;
}

async function using<T>(mesh: TriangleMesh, work: (body: Polyhedron) => Promise<T>): Promise<T> {
  const body = await Polyhedron.create(undefined, mesh, { open: true });
  try {
    return await work(body);
  } finally {
    body.destroy();
  }
}

const classify = (mesh: TriangleMesh, points: Float32Array, options: ClassifyOptions) =>
  using(mesh, (body) => body.classify(points, options));
const winding = (mesh: TriangleMesh, points: Float32Array, options: WindingOptions = {}) =>
  using(mesh, (body) => body.windingNumber(points, options));

const directSums = new WeakMap<TriangleMesh, WeakMap<Float32Array, PotentialValues>>();

/** Direct sums in float64, computed once for the same mesh and points. */
function directSum(mesh: TriangleMesh, points: Float32Array): PotentialValues {
  const ofMesh = directSums.get(mesh) ?? new WeakMap<Float32Array, PotentialValues>();
  directSums.set(mesh, ofMesh);
  const found = ofMesh.get(points) ?? directPotential(localSurface(mesh), points);
  ofMesh.set(points, found);
  return found;
}

/** Points whose value differs from the direct sum in float64 by more than both bounds. */
function violations(
  mesh: TriangleMesh,
  points: Float32Array,
  found: { values: Float32Array; bounds: Float32Array },
) {
  const exact = directSum(mesh, points);
  const wrong: number[] = [];
  found.values.forEach((value, i) => {
    const allowed = found.bounds[i]! + exact.bounds[i]!;
    if (!(Math.abs(value - exact.values[i]!) <= allowed)) wrong.push(i);
  });
  return wrong;
}

describe('the winding number', () => {
  const random = createRandom(81);
  const points = new Float32Array(3 * 1000);
  points.set(randomPoints(foam, 900, random, 0.1));
  points.set(pointsOnSurface(foam, 100, random), 3 * 900);
  const torn = without(foam, someTriangles(foam, 400, random));

  it('is within its bounds and its tolerance, by either method, for closed and open meshes', async () => {
    for (const mesh of [foam, torn]) {
      // One body for all: set-ups are kept.
      await using(mesh, async (body) => {
        for (const tolerance of [0.2, 1e-3, 1e-6]) {
          for (const method of ['multipole', 'direct', 'clusters', 'cell-grid', 'auto'] as const) {
            const found = await body.windingNumber(points, { tolerance, method });
            expect(violations(mesh, points, found), `${method} ${tolerance}`).toEqual([]);
            let over = 0;
            found.bounds.forEach((bound, i) => {
              if (bound <= tolerance) return;
              over++;
              // Points on a triangle or as good as on it, all of them among those put there.
              expect(i).toBeGreaterThanOrEqual(900);
            });
            expect(found.overTolerance).toBe(over);
            expect(found.tolerance).toBe(tolerance);
            if (method !== 'auto') expect(found.method).toBe(method);
          }
        }
      });
    }
  });

  it('says what was done, and sums up again what a low degree leaves above the tolerance', async () => {
    const low = await winding(foam, points, { degree: 1, separation: 1.2, tolerance: 1e-3 });
    expect(low).toMatchObject({ method: 'multipole', degree: 1, separation: 1.2, backend: 'cpu' });
    expect(low.reason).toMatch(/degree was asked for, degree 1, separation 1.2; /);
    expect(low.level).toBeGreaterThan(0);
    expect(low.sharpened).toBeGreaterThan(333);
    expect(violations(foam, points, low)).toEqual([]);
    expect(low.bounds.subarray(0, 900).every((bound) => bound <= 1e-3)).toBe(true);
    expect(low.tableBytes).toBeGreaterThan(9 * 8 * foam.triangleCount);
    for (const stage of ['build', 'evaluate', 'sharpen', 'total'] as const)
      expect(low.seconds[stage]).toBeGreaterThanOrEqual(0);
    const asItIs = await winding(foam, points, { degree: 1, separation: 1.2, tolerance: Infinity });
    expect(asItIs).toMatchObject({ sharpened: 0, overTolerance: 0 });
    expect(violations(foam, points, asItIs)).toEqual([]);
    const direct = await winding(foam, points, { method: 'direct' });
    expect(direct).toMatchObject({
      method: 'direct',
      degree: 0,
      separation: Infinity,
      level: 0,
      gpuBytes: 0,
    });
  });

  it('takes higher degrees for finer tolerances, and the direct sum for little work', async () => {
    const degrees: number[] = [];
    for (const tolerance of [1, 0.3, 0.1, 0.01, 3e-3, 1e-3, 5e-4])
      degrees.push((await winding(sphere, points.subarray(0, 3), { tolerance, method: 'multipole' })).degree);
    expect(degrees).toEqual([2, 3, 4, 5, 6, 7, 8]);
    const few = await winding(sphere, points.subarray(0, 300));
    expect(few).toMatchObject({ method: 'direct' });
    expect(few.reason).toMatch(/direct sum less time/);
    const many = await winding(sphere, randomPoints(sphere, 60_000, createRandom(5)));
    expect(many).toMatchObject({ method: 'cell-grid', backend: 'cpu', degree: 0, sharpened: 0 });
    expect(many.reason).toMatch(/as the surface is closed; the body has no device/);
    // Whole numbers, without any error.
    expect(new Set(many.values)).toEqual(new Set([0, 1]));
    expect(new Set(many.bounds)).toEqual(new Set([0]));
  });

  it('is the number of shells for closed bodies, negative inside out', async () => {
    const coarse = unitSphere(3);
    const shells = joinMeshes([coarse, mapMesh(coarse, (x, y, z) => [2 * x, 2 * y, 2 * z])]);
    const turned = mapMesh(coarse, (x, y, z) => [x, y, z], { flip: true });
    const some = Float32Array.of(0, 0, 0, 1.5, 0, 0, 3, 0, 0, 1e30, -1e38, 2);
    for (const method of ['direct', 'clusters', 'multipole', 'cell-grid'] as const) {
      const { values } = await winding(shells, some, { method });
      expect([...values].map((value) => Math.round(1e3 * value) / 1e3)).toEqual([2, 1, 0, 0]);
      const inverse = await winding(turned, some, { method });
      expect(inverse.values[0]).toBeCloseTo(-1, 3);
    }
  });

  it.each(extremeCases().map((c) => [c.name, c] as const))(
    'holds its bounds at scale %s',
    async (_name, c) => {
      const open = without(c.mesh, someTriangles(c.mesh, 30, random));
      for (const mesh of [c.mesh, open]) {
        const far = Float32Array.of(3e38, -3e38, 3e38, 1e-45, 0, -1e-45, -1, 1e20, 1);
        await using(mesh, async (body) => {
          for (const set of [...c.points, far]) {
            for (const method of ['direct', 'clusters', 'multipole', 'cell-grid'] as const) {
              const found = await body.windingNumber(set, { method });
              expect(found.values.every(Number.isFinite)).toBe(true);
              expect(found.bounds.every(Number.isFinite)).toBe(true);
              expect(violations(mesh, set, found), method).toEqual([]);
            }
          }
        });
      }
    },
  );

  it('of a plane with a hole falls from 1/2 to -1/2 through it', async () => {
    const plate = new TriangleMesh({
      positions: Float32Array.of(-1, -1, 0, 1, -1, 0, 0, 1, 0),
      indices: Uint32Array.of(0, 1, 2),
    });
    const { values, bounds, overTolerance } = await winding(
      plate,
      Float32Array.of(0, 0, -1e-5, 0, 0, 1e-5, 0, 0, 0),
    );
    expect(values[0]).toBeCloseTo(0.5, 4);
    expect(values[1]).toBeCloseTo(-0.5, 4);
    expect(bounds[2]).toBeGreaterThanOrEqual(1);
    expect(overTolerance).toBe(1);
  });

  it.each(['direct', 'clusters', 'multipole', 'cell-grid'] as const)(
    'by %s is none of points that are no numbers any more, and one line says so',
    async (method) => {
      const body = await Polyhedron.create(undefined, sphere, { threads: 1 });
      const points = randomPoints(sphere, 500, createRandom(3));
      const asked = body.windingNumber(points, { method });
      points.fill(Number.NaN);
      await expect(asked).rejects.toThrow('points: point 0 has the coordinate NaN, expected a finite number');
      body.destroy();
    },
  );

  it('of no points is no numbers', async () => {
    const none = await winding(foam, new Float32Array(0));
    expect([none.values.length, none.bounds.length, none.overTolerance]).toEqual([0, 0, 0]);
  });

  it('is the same with and without worker threads, but for the slices', async () => {
    // Enough for worker threads to be worth it.
    const many = randomPoints(torn, 6000, createRandom(7));
    const values: Float32Array[] = [];
    for (const threads of [8, 1]) {
      const body = await Polyhedron.create(undefined, torn, { open: true, threads });
      const found = await body.windingNumber(many, { degree: 3 });
      values.push(found.values, found.bounds);
      body.destroy();
    }
    expect(values[2]).toEqual(values[0]);
    expect(values[3]).toEqual(values[1]);
  });

  it('refuses options out of range with one line', async () => {
    const refused = async (options: object) => {
      const error = await winding(sphere, points, options).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(InputError);
      return (error as Error).message;
    };
    expect(await refused({ tolerance: 0 })).toBe('tolerance is 0, expected a number above 0');
    expect(await refused({ tolerance: Number.NaN })).toBe('tolerance is NaN, expected a number above 0');
    expect(await refused({ degree: 9 })).toBe('degree is 9, expected an integer from 1 to 8');
    expect(await refused({ degree: 2.5 })).toBe('degree is 2.5, expected an integer from 1 to 8');
    expect(await refused({ separation: 1 })).toBe('separation is 1, expected a finite number above 1');
    expect(await refused({ depth: 11 })).toMatch(/^depth is 11, expected auto, well-chosen/);
    expect(await refused({ method: 'ray-crossing' })).toBe(
      'method "ray-crossing": expected one of auto, direct, clusters, multipole, cell-grid',
    );
    expect(await refused({ method: 'clusters', backend: 'gpu' })).toMatch(/needs a device/);
    expect(await refused({ method: 'direct', degree: 3 })).toBe(
      'degree is for method "multipole", found method "direct"',
    );
    expect(await refused({ backend: 'gpu' })).toMatch(/needs a device/);
    expect(await refused({ backend: 'tpu' })).toBe('backend "tpu": expected one of auto, gpu, cpu');
    await expect(winding(sphere, Float32Array.of(0, 1))).rejects.toThrow(/2 coordinates found/);
    await expect(winding(sphere, Float32Array.of(0, 1, Number.NaN))).rejects.toThrow(/expected a finite/);
  });
});

describe.each(['direct', 'clusters', 'multipole', 'cell-grid'] as const)(
  'flags of closed bodies by method %s',
  (method) => {
    const cases = [
      ...surfaceCases(),
      ...windingCases(),
      ...extremeCases(),
      ...alignedCases(),
      ...zeroAreaCases(),
    ];
    it.each(cases.map((c) => [c.name, c] as const))('are exact for %s', async (_name, { mesh, points }) => {
      await using(mesh, async (body) => {
        for (const all of points) {
          const set = all.subarray(0, 3 * 4000);
          for (const rule of ['odd', 'nonzero', 'winding'] as const) {
            const result = await body.classify(set, { method, rule });
            expect(differences(result.flags, exactFlags(mesh, set, rule), set), rule).toEqual([]);
            expect(result).toMatchObject({ method, rule, backend: 'cpu', undecided: 0 });
          }
        }
      });
    });

    it('come in streams as well', async () => {
      const points = randomPoints(foam, 5000, createRandom(3));
      await using(foam, async (body) => {
        const all = await body.classify(points, { method });
        const stream = body.classifyStream([points.subarray(0, 6000), points.subarray(6000)], { method });
        const flags: number[] = [];
        for await (const chunk of stream) flags.push(...chunk.flags);
        expect(flags).toEqual([...all.flags]);
        expect(stream.summary).toMatchObject({ method, undecided: 0, counts: all.counts });
      });
    });
  },
);

it('a call that is one of several decides by the points of all', async () => {
  const torn = without(foam, new Set([7]));
  const points = randomPoints(foam, 3000, createRandom(82), 0.1);
  await using(torn, async (body) => {
    const whole = await body.windingNumber(points);
    const few = points.slice(0, 30);
    expect((await body.windingNumber(few)).method).not.toBe(whole.method);
    const part = await body.windingNumber(few, { expectedPoints: 3000 });
    expect(part.method).toBe(whole.method);
    expect(part.values).toEqual(whole.values.slice(0, 10));
    expect(part.bounds).toEqual(whole.bounds.slice(0, 10));
  });
});

describe('flags of closed bodies', () => {
  it('by the multipole method are certain for nearly all points', async () => {
    const points = randomPoints(foam, 20_000, createRandom(4));
    const result = await classify(foam, points, { method: 'multipole', rule: 'odd' });
    expect(result.resolvedExactly).toBeLessThan(200);
    expect(result.reason).toMatch(/multipole was asked for, degree 2, separation 1.6/);
  });

  it('need consistent orientation for methods that sum up angles', async () => {
    const { positions, indices } = boxMesh([0, 0, 0], [1, 1, 1]);
    const turned = indices.slice();
    turned.subarray(0, 2).reverse();
    const mesh = new TriangleMesh({ positions, indices: turned, name: 'turned' });
    const point = Float32Array.of(0.5, 0.5, 0.5);
    await expect(classify(mesh, point, { method: 'multipole' })).rejects.toThrow(
      'turned: the surface is not consistently oriented, as method multipole needs for rule odd: ' +
        'use method cell-grid, or rule winding',
    );
    expect((await classify(mesh, point, { rule: 'winding' })).flags[0]).toBe(1);
  });
});

describe('rule winding', () => {
  const random = createRandom(82);
  const points = randomPoints(sphere, 8000, random, 0.1);
  const whole = exactFlags(sphere, points);
  const distanceTo = (i: number, mesh: TriangleMesh, t: number) => {
    const v = 3 * mesh.indices[3 * t]!;
    return Math.hypot(...[0, 1, 2].map((k) => points[3 * i + k]! - mesh.positions[v + k]!));
  };

  const removed = someTriangles(sphere, 20, random);
  const holed = without(sphere, removed);

  it.each(['direct', 'clusters', 'multipole', 'cell-grid', 'auto'] as const)(
    'sees no holes in a sphere away from them: %s',
    async (method) => {
      const { flags, undecided } = await classify(holed, points, { rule: 'winding', method });
      expect(undecided).toBe(0);
      // Holes have sides of 0.1; beyond two of them a hole takes less than a tenth of the sphere.
      const wrong = [...flags.keys()].filter(
        (i) => flags[i] !== whole[i] && [...removed].every((t) => distanceTo(i, sphere, t) > 0.2),
      );
      expect(wrong).toEqual([]);
      const exact = directSum(holed, points);
      expect(
        differences(
          flags,
          Uint8Array.from(exact.values, (v) => (v > 0.5 ? 1 : 0)),
          points,
        ),
      ).toEqual([]);
    },
  );

  it('changes no flag of random points when small triangles are missing', async () => {
    const fine = unitSphere(6);
    const some = randomPoints(fine, 10_000, random, 0.05);
    const torn = without(fine, someTriangles(fine, 25, random));
    const found = await classify(torn, some, { rule: 'winding' });
    expect(differences(found.flags, exactFlags(fine, some), some)).toEqual([]);
  });

  it('is not changed by a few turned faces, nor by doubled ones', async () => {
    const some = someTriangles(sphere, 10, random);
    const away = (i: number) => [...some].every((t) => distanceTo(i, sphere, t) > 0.35);
    const indices = sphere.indices.slice();
    for (const t of some) indices.subarray(3 * t, 3 * t + 2).reverse();
    const turned = new TriangleMesh({ positions: sphere.positions, indices });
    const doubled = new TriangleMesh({
      positions: sphere.positions,
      indices: Uint32Array.from([
        ...sphere.indices,
        ...[...some].flatMap((t) => [...sphere.indices.subarray(3 * t, 3 * t + 3)]),
      ]),
    });
    const { flags } = await classify(turned, points, { rule: 'winding' });
    expect([...flags.keys()].filter((i) => flags[i] !== whole[i] && away(i))).toEqual([]);
    // Less than 1/2 is added to or taken from 0 and 1.
    const same = await classify(doubled, points, { rule: 'winding' });
    expect(differences(same.flags, whole, points)).toEqual([]);
    const twice = joinMeshes([sphere, sphere]);
    expect(differences((await classify(twice, points, { rule: 'winding' })).flags, whole, points)).toEqual(
      [],
    );
  });

  it('finds the union of bodies that overlap, and nothing inside one that is inside out', async () => {
    const other = mapMesh(sphere, (x, y, z) => [x + 0.5, y, z]);
    const both = joinMeshes([sphere, other]);
    const { flags } = await classify(both, points, { rule: 'winding' });
    const second = exactFlags(other, points);
    expect(
      differences(
        flags,
        whole.map((flag, i) => flag | second[i]!),
        points,
      ),
    ).toEqual([]);
    const turned = mapMesh(sphere, (x, y, z) => [x, y, z], { flip: true });
    expect((await classify(turned, points, { rule: 'winding' })).counts.inside).toBe(0);
  });

  it('has 2 on triangles of every mesh, however many layers there are', async () => {
    const torn = without(sphere, someTriangles(sphere, 200, random));
    const layers = joinMeshes([sphere, sphere, sphere, torn]);
    for (const mesh of [torn, layers]) {
      const on = pointsOnSurface(mesh, 2000, random);
      for (const method of ['direct', 'clusters', 'multipole', 'cell-grid'] as const) {
        const { flags, counts } = await classify(mesh, on, { rule: 'winding', method });
        const expected = exactFlags(mesh, on);
        expect([...flags.keys()].filter((i) => (flags[i] === 2) !== (expected[i] === 2))).toEqual([]);
        expect(counts.boundary).toBeGreaterThan(20);
      }
    }
  });

  it('counts the points at which it is 1/2 but for rounding', async () => {
    // Half of a cube's mirror image: in the plane of the opening every angle has its opposite.
    const halves = [boxMesh([-1, -1, 0], [1, 1, 1]), boxMesh([-1, -1, -1], [1, 1, 0])];
    const [upper] = halves.map((mesh) =>
      without(
        mesh,
        new Set(
          Array.from({ length: mesh.triangleCount }, (_, t) => t).filter((t) =>
            [0, 1, 2].every((k) => mesh.positions[3 * mesh.indices[3 * t + k]! + 2] === 0),
          ),
        ),
      ),
    );
    const inOpening = Float32Array.of(0, 0, 0, 0.25, 0.5, 0, -0.5, 0.125, 0, 0, 0, 0.5, 0, 0, -0.5);
    for (const method of ['direct', 'clusters', 'multipole', 'cell-grid'] as const) {
      const { flags, undecided } = await classify(upper!, inOpening, { rule: 'winding', method });
      expect(undecided).toBe(3);
      expect([...flags.subarray(3)]).toEqual([1, 0]);
    }
    const stream = await using(upper!, async (body) => {
      const all = body.classifyStream([inOpening, inOpening], { rule: 'winding' });
      for await (const chunk of all) expect(chunk.undecided).toBe(3);
      return all.summary;
    });
    expect(stream.undecided).toBe(6);
  });

  it('is refused by methods that count crossings, and tells the others what is for them alone', async () => {
    await expect(classify(sphere, points, { rule: 'winding', method: 'ray-crossing' })).rejects.toThrow(
      'rule "winding" needs the winding number: method "ray-crossing" found, ' +
        'expected one of auto, direct, clusters, multipole, cell-grid',
    );
    await expect(classify(sphere, points, { degree: 3 })).rejects.toThrow(
      'degree is for method "multipole", found method "auto"',
    );
    await expect(classify(sphere, points, { rule: 'best' as never })).rejects.toThrow(
      'rule "best": expected one of odd, nonzero, winding',
    );
  });
});

describe('an open mesh', () => {
  const torn = without(sphere, new Set([3]));
  const point = Float32Array.of(0, 0, 0);

  it('is refused unless asked for, and then by rules that need it closed, with the way out', async () => {
    const message = new RegExp(
      '^torn: the surface is open: 3 boundary edges, .*; close the holes, weld the vertices with a tolerance, ' +
        String.raw`or use rule winding \(in a script with \{ open: true \}\); ` +
        '`scree check` shows where$',
    );
    await expect(Polyhedron.create(undefined, torn)).rejects.toThrow(message);
    await using(torn, async (body) => {
      for (const method of ['auto', 'cell-grid', 'direct', 'multipole'] as const) {
        await expect(body.classify(point, { method })).rejects.toThrow(message);
        await expect(body.classify(point, { method, rule: 'nonzero' })).rejects.toThrow(message);
      }
      await expect(body.save()).rejects.toThrow(message);
      const stream = body.classifyStream([point]);
      await expect(stream.next()).rejects.toThrow(message);
      expect((await body.classify(point, { rule: 'winding' })).flags[0]).toBe(1);
      expect((await body.windingNumber(point)).values[0]).toBeGreaterThan(0.99);
    });
  });

  it('without triangles is refused all the same', async () => {
    const none = new TriangleMesh({ positions: new Float32Array(0), indices: new Uint32Array(0) });
    await expect(Polyhedron.create(undefined, none, { open: true })).rejects.toThrow(
      /no triangles, expected some/,
    );
  });
});

describe('the set-up on the CPU', () => {
  const large = unitSphere(5);

  it.each([
    ['multipole', 8, large],
    ['multipole', 1, large],
    ['clusters', 8, unitSphere(7)],
    ['clusters', 1, unitSphere(7)],
  ] as const)('of %s stops when its signal is aborted; threads: %s', async (kind, threads, mesh) => {
    const controller = new AbortController();
    const seen: number[] = [];
    const pending = CpuPotential.create(kind, mesh, {
      multipole: { p: 8, d: 2 },
      threads,
      signal: controller.signal,
      onProgress: (done) => {
        seen.push(done);
        if (seen.length === 3) controller.abort(new Error('enough'));
      },
    });
    await expect(pending).rejects.toThrow('enough');
    expect(seen.length).toBe(3);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBeLessThan(1);
    // Threads are as ready as before.
    const small = await CpuPotential.create('clusters', foam, { threads });
    expect(small.tableBytes).toBeGreaterThan(0);
  });

  it.each([8, 1])('of clusters heeds an abort when all branches are filled; threads: %s', async (threads) => {
    const controller = new AbortController();
    const pending = CpuPotential.create('clusters', large, {
      threads,
      signal: controller.signal,
      onProgress: (done) => {
        if (done > 0.89) controller.abort(new Error('late'));
      },
    });
    await expect(pending).rejects.toThrow('late');
  });

  it('makes the same clusters on many threads as on one', async () => {
    const [one, many] = await Promise.all(
      [1, 8].map((threads) => CpuPotential.create('clusters', large, { threads })),
    );
    expect(many!.clusters).toEqual(one!.clusters);
  });

  it('lets other work in at least every fifty milliseconds or so without workers', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const started = performance.now();
    const potential = await CpuPotential.create('multipole', large, {
      multipole: { p: 4, d: 2 },
      threads: 1,
    });
    const elapsed = performance.now() - started;
    clearInterval(timer);
    potential.destroy();
    // Trees and lists are in one piece each; the rest, most of it, is not.
    expect(turns).toBeGreaterThan(Math.min(5, elapsed / 500));
  });
});

describe('a call', () => {
  const points = randomPoints(foam, 200_000, createRandom(9));

  it('stops when its signal is aborted, and reports progress up to all points', async () => {
    await using(foam, async (body) => {
      for (const method of ['direct', 'multipole'] as const) {
        const controller = new AbortController();
        let calls = 0;
        const pending = body.windingNumber(points, {
          method,
          signal: controller.signal,
          onProgress: () => {
            if (++calls === 2) controller.abort(new Error('enough'));
          },
        });
        await expect(pending).rejects.toThrow('enough');
        expect(calls).toBe(2);
        await expect(
          body.windingNumber(points, { signal: AbortSignal.abort(new Error('no')) }),
        ).rejects.toThrow('no');
      }
      const seen: number[] = [];
      await body.windingNumber(points.subarray(0, 3000), {
        onProgress: (done, total) => seen.push(done / total),
      });
      expect(seen.at(-1)).toBe(1);
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    });
  });

  it('rejects when the body is destroyed meanwhile', async () => {
    for (const method of ['direct', 'multipole'] as const) {
      const body = await Polyhedron.create(undefined, foam);
      const pending = [
        body.windingNumber(points, { method }),
        body.classify(points, { method }),
        body.classifyStream([points], { method }).next(),
      ];
      setTimeout(() => body.destroy(), 50);
      for (const outcome of await Promise.allSettled(pending)) {
        expect(outcome).toMatchObject({
          status: 'rejected',
          reason: { message: expect.stringMatching(/was destroyed/) },
        });
      }
      await expect(body.windingNumber(points)).rejects.toThrow(/was destroyed/);
    }
  });
});
