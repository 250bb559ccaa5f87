import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { DOUBTFUL } from '../../../src/inside/classification.ts';
import { certifyClosed, certifyWinding } from '../../../src/inside/multipole/certify.ts';
import { evaluateMultipole } from '../../../src/inside/multipole/evaluate.ts';
import {
  type MultipoleField,
  type MultipoleOptions,
  setUpMultipole,
} from '../../../src/inside/multipole/field.ts';
import { directPotential, type PotentialValues } from '../../../src/inside/potential/solid-angle.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { extremeCases, surfaceCases, windingCases } from '../../support/cases.ts';
import { differences, exactFlags } from '../../support/flags.ts';
import {
  boxMesh,
  joinMeshes,
  mapMesh,
  pointsOnSurface,
  randomPoints,
  voxelMesh,
} from '../../support/shapes.ts';

/** A cube of 1,536 triangles, aligned with the cells of the trees. */
const cube = voxelMesh(16, 1 / 16, () => true);
const sphere = unitSphere(4);
const foam = openCellFoam({ triangles: 4000, seed: 6 });
const graded = joinMeshes([
  boxMesh([-20, -2, -2], [3, 2, 2]),
  mapMesh(unitSphere(3), (x, y, z) => [0.5 * x, 0.5 * y, 0.5 * z]),
]);

/** Depth 3 gives far fields even to meshes that would be faster with the direct sum alone. */
const setUp = (mesh: TriangleMesh, options: Partial<MultipoleOptions>): MultipoleField =>
  setUpMultipole(localSurface(mesh), { p: 4, d: 1.6, depth: 3, ...options });

function errors(found: PotentialValues, exact: PotentialValues) {
  let [largest, violations, largestBound] = [0, 0, 0];
  found.values.forEach((value, i) => {
    const error = Math.abs(value - exact.values[i]!);
    largest = Math.max(largest, error);
    // On the surface both may be off by a whole turn.
    if (exact.bounds[i]! < 0.5) largestBound = Math.max(largestBound, found.bounds[i]!);
    if (!(error <= found.bounds[i]! + exact.bounds[i]!)) violations++;
  });
  return { largest, violations, largestBound };
}

/** Flags by the potential, doubtful ones settled exactly; and how many of them. */
function settle(flags: Uint8Array, exact: Uint8Array): { flags: Uint8Array; doubtful: number } {
  let doubtful = 0;
  const settled = flags.map((flag, i) => {
    if (flag !== DOUBTFUL) return flag;
    doubtful++;
    return exact[i]!;
  });
  return { flags: settled, doubtful };
}

describe.each([
  ['a cube', cube],
  ['a sphere', sphere],
  ['a foam', foam],
  ['a graded mesh', graded],
])('the potential of %s', (_name, mesh) => {
  const random = createRandom(61);
  const points = new Float32Array(3 * 800);
  points.set(randomPoints(mesh, 640, random, 0.02));
  points.set(pointsOnSurface(mesh, 160, random), 3 * 640);
  const surface = localSurface(mesh);
  const exact = directPotential(surface, points);

  it('is within its bound for all degrees and separations, and both fall with the degree', () => {
    // All degrees at one separation; the ends of both ranges at the others, as set-ups take the time.
    for (const [d, degrees] of [
      [1.01, [1, 3, 4, 8]],
      [1.6, [1, 2, 3, 4, 5, 6, 7, 8]],
      [3, [1, 3, 4, 8]],
    ] as const) {
      const found = new Map(
        degrees.map((p) => {
          // Two levels of far fields where they are cheap.
          const field = setUp(mesh, { p, d, depth: p > 3 ? 2 : 3 });
          const result = errors(evaluateMultipole(field, points), exact);
          expect(result.violations, `p ${p}, d ${d}`).toBe(0);
          return [p, result] as const;
        }),
      );
      const isSameDepth = (p: number, q: number) => p > 3 === q > 3;
      for (const [i, p] of degrees.entries()) {
        const lower = degrees[i - 1];
        if (lower !== undefined && isSameDepth(lower, p))
          expect(found.get(p)!.largestBound).toBeLessThanOrEqual(found.get(lower)!.largestBound);
      }
      expect(found.get(3)!.largest).toBeLessThan(0.5 * found.get(1)!.largest + 1e-12);
      expect(found.get(8)!.largest).toBeLessThan(0.1 * found.get(4)!.largest + 1e-12);
    }
  });

  it('is within its bound for other degrees of moments, known and used', () => {
    for (const [p, q, errorDegree] of [
      [2, 1, 1],
      [1, 3, 3],
      [3, 4, 12],
      [8, 9, 9],
    ] as const) {
      const field = setUp(mesh, { p, q, errorDegree, d: 1.3, depth: p > 3 ? 2 : 3 });
      expect(errors(evaluateMultipole(field, points), exact).violations, `${p} ${q} ${errorDegree}`).toBe(0);
    }
  });

  it('is within its bound at every depth', () => {
    for (const depth of ['auto', 'well-chosen', 'pre-chosen', 0, 1, 4] as const) {
      const field = setUp(mesh, { p: 2, depth, points: 1e5 });
      expect(errors(evaluateMultipole(field, points), exact).violations, `${depth}`).toBe(0);
    }
  });

  it('is within 1e-3 everywhere for p = 5 and d = 1.6', () => {
    const others = randomPoints(mesh, 1200, createRandom(62));
    const direct = directPotential(surface, others);
    const asked = new Set<number>();
    for (const depth of ['auto', 3, 4] as const) {
      // The depth that is chosen is mostly one of the others.
      if (depth !== 'auto' && asked.has(depth)) continue;
      const field = setUp(mesh, { p: 5, d: 1.6, depth });
      asked.add(field.evaluation.depth);
      expect(errors(evaluateMultipole(field, others), direct).largest).toBeLessThan(1e-3);
    }
  });

  it('gives exact flags with p = 2 once doubtful points are settled', () => {
    const field = setUp(mesh, { p: 2, closed: true });
    const flags = exactFlags(mesh, points);
    const settled = settle(certifyClosed(evaluateMultipole(field, points), 'odd'), flags);
    expect(differences(settled.flags, flags, points)).toEqual([]);
    // 160 of 800 are on the surface or an ulp beside it; hardly any other is left to exact predicates.
    expect(settled.doubtful).toBeLessThan(168);
  });
});

describe('flags with p = 2', () => {
  const cases = [...surfaceCases(), ...windingCases(), ...extremeCases()];
  it.each(cases.map((c) => [c.name, c] as const))('of %s are exact', (_name, { mesh, points }) => {
    const surface = localSurface(mesh);
    const field = setUpMultipole(surface, { p: 2, d: 1.6, depth: 3, closed: true });
    for (const set of points) {
      const potential = evaluateMultipole(field, set);
      for (const rule of ['odd', 'nonzero'] as const) {
        const exact = exactFlags(mesh, set, rule);
        const { flags } = settle(certifyClosed(potential, rule), exact);
        expect(differences(flags, exact, set), rule).toEqual([]);
      }
    }
  });
});

it('certainty needs a single whole number within the bound, or 1/2 outside it', () => {
  const potential = {
    values: Float64Array.of(1.001, 0.02, 0.98, 0.5, 2, -1, 0.45, 1, 0.3),
    bounds: Float64Array.of(0.9, 0.9, 1, 1, 0.1, 0.1, 0.1, 1.5, 0.1),
  };
  expect([...certifyClosed(potential, 'odd')]).toEqual([1, 0, 3, 3, 0, 1, 3, 3, 3]);
  expect([...certifyClosed(potential, 'nonzero')]).toEqual([1, 0, 3, 3, 1, 1, 3, 3, 3]);
  expect([...certifyWinding(potential)]).toEqual([3, 3, 3, 3, 1, 0, 3, 3, 0]);
});

describe('an open mesh', () => {
  /** A mesh without the triangles of these numbers. */
  const without = (mesh: TriangleMesh, removed: Set<number>) =>
    new TriangleMesh({
      positions: mesh.positions,
      indices: mesh.indices.filter((_, i) => !removed.has(Math.floor(i / 3))),
    });

  it('of a sphere with holes has the flags of the sphere away from them', () => {
    const random = createRandom(63);
    const removed = new Set(Array.from({ length: 20 }, () => Math.floor(random() * sphere.triangleCount)));
    const open = without(sphere, removed);
    const points = randomPoints(sphere, 4000, random, 0.3);
    const potential = evaluateMultipole(setUp(open, { p: 5 }), points);
    expect(errors(potential, directPotential(localSurface(open), points)).violations).toBe(0);
    const flags = certifyWinding(potential);
    const expected = exactFlags(sphere, points);
    const isAwayFromHoles = (i: number) =>
      [...removed].every((t) => {
        const v = 3 * sphere.indices[3 * t]!;
        return Math.hypot(...[0, 1, 2].map((k) => points[3 * i + k]! - sphere.positions[v + k]!)) > 0.2;
      });
    // A hole of a triangle's size, 0.1, takes less than 1/2 at a distance of twice that, and 20 of them rarely meet.
    expect(flags.every((flag, i) => !isAwayFromHoles(i) || flag === expected[i])).toBe(true);
  });

  it('has a potential everywhere, near and far outside its box', () => {
    const half = without(foam, new Set(Array.from({ length: foam.triangleCount / 2 }, (_, t) => 2 * t)));
    const random = createRandom(64);
    for (const margin of [0.05, 0.5, 5, 1000]) {
      const points = randomPoints(half, 1000, random, margin);
      const found = evaluateMultipole(setUp(half, { p: 3 }), points);
      const exact = directPotential(localSurface(half), points);
      const { violations, largestBound } = errors(found, exact);
      expect(violations, `margin ${margin}`).toBe(0);
      if (margin >= 5) expect(largestBound).toBeLessThan(0.3);
    }
  });

  it('of a half sphere is 1/2 in the middle of its opening', () => {
    const removed = new Set<number>();
    for (let t = 0; t < sphere.triangleCount; t++) {
      const corners = sphere.indices.subarray(3 * t, 3 * t + 3);
      if (corners.some((v) => sphere.positions[3 * v + 2]! < 0)) removed.add(t);
    }
    const field = setUp(without(sphere, removed), { p: 8, d: 2 });
    const { values } = evaluateMultipole(field, Float32Array.of(0, 0, 0, 0, 0, 0.99, 0, 0, -0.01));
    expect(Math.abs(values[0]! - 1 / 2)).toBeLessThan(1e-5);
    expect(values[1]).toBeGreaterThan(0.8);
    expect(values[2]).toBeLessThan(0.5);
  });
});

describe('the set-up', () => {
  it('knows that a closed surface has no potential outside its cube', () => {
    const field = setUp(cube, { closed: true });
    const { values, bounds } = evaluateMultipole(field, Float32Array.of(2, 0, 0, -1e30, 0, 1e20));
    expect([...values, ...bounds]).toEqual([0, 0, 0, 0]);
  });

  it('of a mesh without triangles gives 0', () => {
    const empty = new TriangleMesh({ positions: new Float32Array(0), indices: new Uint32Array(0) });
    const { values } = evaluateMultipole(setUp(empty, { depth: 'auto' }), Float32Array.of(0, 0, 0, 9, 9, 9));
    expect([...values]).toEqual([0, 0]);
  });

  it('is the same bit for bit when repeated', () => {
    const points = randomPoints(foam, 500, createRandom(65));
    const first = evaluateMultipole(setUp(foam, {}), points);
    expect(evaluateMultipole(setUp(foam, {}), points)).toEqual(first);
    // A point's value does not depend on its neighbours.
    const last = evaluateMultipole(setUp(foam, {}), points.subarray(3 * 499));
    expect(last.values[0]).toBe(first.values[499]);
  });

  it('keeps the near field small where there are many points, and of the same size for finer meshes', () => {
    const near = [5000, 20_000].map((triangles) => {
      const mesh = openCellFoam({ triangles, cells: 1 });
      const { evaluation } = setUp(mesh, { p: 2, depth: 'auto', points: 50 * triangles });
      let sum = 0;
      for (let leaf = 0; leaf < evaluation.levels.length; leaf++) {
        for (let r = evaluation.nearStarts[leaf]!; r < evaluation.nearStarts[leaf + 1]!; r++)
          sum +=
            (evaluation.nearRanges[2 * r + 1]! - evaluation.nearRanges[2 * r]!) *
            8 ** -evaluation.levels[leaf]!;
      }
      return sum;
    });
    expect(near[1]).toBeLessThan(300);
    expect(near[1]! / near[0]!).toBeLessThan(1.5);
  });

  it('names options that it cannot use', () => {
    const refused = (options: Partial<MultipoleOptions>) => {
      expect(() => setUp(cube, options)).toThrow(InputError);
      try {
        setUp(cube, options);
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    expect(refused({ p: 0 })).toBe('p is 0, expected an integer from 1 to 8');
    expect(refused({ p: 2.5 })).toBe('p is 2.5, expected an integer from 1 to 8');
    expect(refused({ q: 10 })).toBe('q is 10, expected an integer from 1 to 9');
    expect(refused({ p: 3, errorDegree: 2 })).toBe('errorDegree is 2, expected an integer from 3 to 12');
    expect(refused({ d: 1 })).toBe('d is 1, expected a number above 1');
    expect(refused({ depth: 11 })).toContain(
      'depth is 11, expected auto, well-chosen, pre-chosen or an integer',
    );
    expect(refused({ depth: 'deep' as 'auto' })).toContain('depth is "deep"');
    expect(refused({ depth: 'well-chosen' })).toContain('needs the number of points');
    expect(refused({ points: Number.NaN })).toBe('points is NaN, expected a number of points');
  });
});
