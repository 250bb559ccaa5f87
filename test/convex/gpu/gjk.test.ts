import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GpuPairAnswers } from '../../../src/convex/gpu/answers.ts';
import { Pair } from '../../../src/convex/pair/pair.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import type { PairQuery, PairResults } from '../../../src/convex/query/pair-query.ts';
import { placements } from '../../../src/convex/shapes/pose.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { ConvexShape, Shape } from '../../../src/convex/shapes/shapes.ts';
import { dataPath, describeWithData, hasData } from '../../support/data.ts';
import { useDevice } from '../../support/device.ts';
import { hold } from '../../support/hold.ts';
import {
  arbitraryPlaced,
  dot,
  kindPairs,
  outsideBy,
  overlapAlong,
  type Placed,
  type Vector,
} from '../shapes-of-all-kinds.ts';
import { askBoth, askKernels } from './gpu-ask.ts';
import { randomPairs, randomShapes } from './random-pairs.ts';

const device = useDevice();

/** What answers of kernels have to be good for, relative to the pair's size. */
const ACCURACY = 1e-5;

function sizesOf(table: ShapeTable, { poses, pairs, shapes: bodies }: PairQuery): Float64Array {
  const pair = new Pair(table);
  const placed = placements(poses);
  return Float64Array.from({ length: pairs.length / 2 }, (_, i) => {
    const [a, b] = [pairs[2 * i]!, pairs[2 * i + 1]!];
    pair.place(
      { record: bodies?.[a] ?? a, frames: placed, at: 12 * a },
      { record: bodies?.[b] ?? b, frames: placed, at: 12 * b },
    );
    return pair.size;
  });
}

/** Holds kernels and exact answers together; returns how many pairs the kernels left undecided. */
function compare(kernels: GpuPairAnswers, exact: PairResults, sizes: Float64Array, kind: string): number {
  let undecided = 0;
  for (let i = 0; i < sizes.length; i++) {
    if (kernels.status[i] === PairStatus.iterationLimit) {
      undecided++;
      continue;
    }
    if (kind === 'intersect') {
      const apart = exact.status[i] === PairStatus.separated;
      if ((kernels.status[i] === PairStatus.separated) !== apart) {
        expect.unreachable(`pair ${i}: ${kernels.status[i]}, expected ${exact.status[i]}`);
      }
      continue;
    }
    const distance = exact.distance[i]!;
    const found = kernels.distance[i]!;
    const where = () => `pair ${i}: exact ${distance}, kernel ${found}`;
    hold(Object.is(Math.sign(found), Math.sign(distance)), where);
    if (kernels.status[i] === PairStatus.converged) {
      hold(Math.abs(found - distance) / sizes[i]! < ACCURACY, where);
    }
    hold(kernels.lower[i]! <= distance, () => `${where()}: lower bound ${kernels.lower[i]}`);
    hold(kernels.upper[i]! >= distance, () => `${where()}: upper bound ${kernels.upper[i]}`);
  }
  return undecided;
}

function queryOf(bodies: readonly Placed[]): { shapes: ConvexShape[]; query: Omit<PairQuery, 'kind'> } {
  return {
    shapes: bodies.map(({ shape }) => shape),
    query: {
      poses: Float64Array.from(bodies.flatMap(({ position, rotation }) => [...position, ...rotation])),
      pairs: Uint32Array.from(bodies, (_, i) => i),
    },
  };
}

const sampled = fc
  .sample(fc.tuple(...kindPairs.map(([a, b]) => fc.tuple(arbitraryPlaced(a), arbitraryPlaced(b)))), {
    numRuns: 12,
    seed: 3,
  })
  .flat(2);

describe('pairs of all kinds of shapes', () => {
  const { shapes, query } = queryOf(sampled);

  it.each(['gjk', 'gjk-johnson'] as const)('%s: no boolean is wrong', async (algorithm) => {
    const { kernels, exact, table } = await askBoth(device(), shapes, {
      ...query,
      kind: 'intersect',
      algorithm,
    });
    const undecided = compare(kernels, exact, sizesOf(table, { ...query, kind: 'intersect' }), 'intersect');
    // Coordinates from a short list touch, and lie in each other's planes, all the time.
    expect(undecided).toBeLessThan(0.1 * kernels.status.length);
  });

  it.each(['gjk', 'gjk-johnson'] as const)('%s: distance, bounds, normal and points', async (algorithm) => {
    const { kernels, exact, table } = await askBoth(device(), shapes, {
      ...query,
      kind: 'distance',
      algorithm,
    });
    const sizes = sizesOf(table, { ...query, kind: 'distance' });
    compare(kernels, exact, sizes, 'distance');
    let checked = 0;
    for (let i = 0; i < sizes.length; i++) {
      const d = kernels.distance[i]!;
      if (kernels.status[i] !== PairStatus.converged || d === 0) continue;
      const [a, b] = [sampled[2 * i]!, sampled[2 * i + 1]!];
      const n = [...kernels.normal.subarray(3 * i, 3 * i + 3)] as unknown as Vector;
      const tolerance = ACCURACY * sizes[i]!;
      expect(Math.abs(Math.hypot(...n) - 1)).toBeLessThan(1e-6);
      // The support plane along the normal proves the distance.
      expect(-overlapAlong(a, b, n)).toBeGreaterThan(d - tolerance);
      const [onA, onB] = [
        kernels.pointA.subarray(3 * i, 3 * i + 3),
        kernels.pointB.subarray(3 * i, 3 * i + 3),
      ];
      for (let k = 0; k < 3; k++) expect(Math.abs(onB[k]! - onA[k]! - d * n[k]!)).toBeLessThan(tolerance);
      expect(outsideBy(a, onA, [n])).toBeLessThan(tolerance);
      expect(outsideBy(b, onB, [[-n[0], -n[1], -n[2]]])).toBeLessThan(tolerance);
      checked++;
    }
    expect(checked).toBeGreaterThan(sizes.length / 4);
  });

  it.each([1e-6, 1e6])('in units of %s: the same', async (scale) => {
    const scaled = (value: unknown, key = ''): unknown => {
      if (key === 'rotation' || typeof value === 'string') return value;
      if (typeof value === 'number') return value * scale;
      if (Array.isArray(value)) return value.map((v) => scaled(v));
      if (value === null || typeof value !== 'object') return value;
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, scaled(v, k)]));
    };
    const grown = queryOf(
      sampled.map(({ shape, position, rotation }) => ({
        shape: scaled(shape) as ConvexShape,
        position: scaled(position) as Vector,
        rotation,
      })),
    );
    const { kernels, exact, table } = await askBoth(device(), grown.shapes, {
      ...grown.query,
      kind: 'distance',
    });
    compare(kernels, exact, sizesOf(table, { ...grown.query, kind: 'distance' }), 'distance');
  });

  it('a million sizes from the origin: the same distances', async () => {
    const far = queryOf(
      sampled.map((body) => ({
        ...body,
        position: body.position.map((x, k) => x + 1e6 * (k + 1)) as unknown as Vector,
      })),
    );
    const { kernels, exact, table } = await askBoth(device(), far.shapes, { ...far.query, kind: 'distance' });
    compare(kernels, exact, sizesOf(table, { ...far.query, kind: 'distance' }), 'distance');
    expect(kernels.status.filter((s) => s !== PairStatus.iterationLimit).length).toBeGreaterThan(
      0.9 * kernels.status.length,
    );
  });

  it('so far from the origin that two float32 do not place a body: undecided, never wrong', async () => {
    const far = queryOf(
      sampled.slice(0, 200).map((body) => ({
        ...body,
        position: body.position.map((x) => x + 1e9) as unknown as Vector,
      })),
    );
    const kernels = await askKernels(device(), far.shapes, { ...far.query, kind: 'intersect' });
    expect(kernels.status.every((s) => s === PairStatus.iterationLimit)).toBe(true);
  });

  it('warm starts answer the same with fewer support points', async () => {
    const first = await askBoth(device(), shapes, { ...query, kind: 'distance' });
    const again = await askKernels(device(), first.table, {
      ...query,
      kind: 'distance',
      previous: first.exact,
    });
    compare(again, first.exact, sizesOf(first.table, { ...query, kind: 'distance' }), 'distance');
    const calls = (of: GpuPairAnswers) => of.iterations.reduce((sum, x) => sum + x, 0);
    expect(calls(again)).toBeLessThan(0.9 * calls(first.kernels));
  });

  it('a sweep tells apart what is farther than twice its radius, and measures the rest', async () => {
    const swept = { ...query, kind: 'signed-distance', algorithm: 'sweep-gjk', sweepRadius: 0.3 } as const;
    const { kernels, exact } = await askBoth(device(), shapes, swept);
    let apart = 0;
    let left = 0;
    for (let i = 0; i < kernels.status.length; i++) {
      if (kernels.status[i] === PairStatus.iterationLimit) {
        left++;
        continue;
      }
      if (kernels.status[i] === PairStatus.separated) {
        apart++;
        expect(kernels.distance[i]).toBeGreaterThan(0.6);
        expect(exact.status[i]).toBe(PairStatus.separated);
      } else {
        expect(kernels.distance[i]).toBeLessThan(0.6 + 1e-4);
        expect(Math.abs(kernels.distance[i]! - exact.distance[i]!)).toBeLessThan(1e-4);
      }
    }
    expect(left).toBeLessThan(0.08 * kernels.status.length);
    expect(apart).toBeGreaterThan(50);
  });
});

describe('many random pairs of one shape', () => {
  it.each(Object.keys(randomShapes))('%s: no boolean is wrong, and few are left undecided', async (name) => {
    const shape = randomShapes[name]!;
    const count = 20_000;
    const query = randomPairs(count, 1.2 * new ShapeTable([shape]).boundingRadius(0));
    for (const kind of ['intersect', 'distance'] as const) {
      const { kernels, exact, table } = await askBoth(device(), [shape], { ...query, kind });
      const undecided = compare(kernels, exact, sizesOf(table, { ...query, kind }), kind);
      expect(undecided).toBeLessThan(0.01 * count);
    }
  });
});

describe('touching and flat shapes', () => {
  const box: Shape = { kind: 'box', halfExtents: [0.5, 0.5, 0.5] };
  const flat: Shape = { kind: 'rectangle', halfExtents: [0.5, 0.5] };
  const along = (...heights: number[]) =>
    Float64Array.from(
      heights.flatMap((z) => [0, 0, 0, 0, 0, 0, 1, 0.13, 0.21, z, 0, 0, Math.sin(0.3), Math.cos(0.3)]),
    );
  const places = [1, 1 + 1e-7, 1 - 1e-7, 1 + 1e-3, 1 - 1e-3];
  const pairs = Uint32Array.from({ length: 2 * places.length }, (_, i) => i);

  it('boxes that touch are left to float64, and so are those that float32 cannot tell from them', async () => {
    const query = { poses: along(...places), pairs, shapes: new Uint32Array(2 * places.length) } as const;
    const { status } = await askKernels(device(), [box], { ...query, kind: 'intersect' });
    const { iterationLimit, separated, converged } = PairStatus;
    expect([...status]).toEqual([iterationLimit, iterationLimit, iterationLimit, separated, converged]);
  });

  it('rectangles in one plane are never said to be apart', async () => {
    const poses = Float64Array.from([0, 0, 0, 0, 0, 0, 1, 0.3, 0.2, 0, 0, 0, 0, 1]);
    const query = { poses, pairs: Uint32Array.of(0, 1), shapes: Uint32Array.of(0, 0) } as const;
    const { status } = await askKernels(device(), [flat], { ...query, kind: 'intersect' });
    expect(status[0]).toBe(PairStatus.iterationLimit);
  });

  it('parallel rectangles have the distance of their planes', async () => {
    const poses = Float64Array.from([0, 0, 0, 0, 0, 0, 1, 0.3, 0.2, 0.25, 0, 0, 0, 1]);
    const query = { poses, pairs: Uint32Array.of(0, 1), shapes: Uint32Array.of(0, 0) } as const;
    const { distance, normal } = await askKernels(device(), [flat], { ...query, kind: 'distance' });
    expect(distance[0]).toBeCloseTo(0.25, 6);
    expect(normal[2]).toBeCloseTo(1, 6);
  });
});

describeWithData('300 pairs of polytopes against the hull of their Minkowski difference', () => {
  interface Oracle {
    readonly shapes: readonly { readonly vertices: readonly number[][] }[];
    readonly cases: readonly {
      readonly a: number;
      readonly b: number;
      readonly quat_xyzw: readonly number[];
      readonly translation: readonly number[];
      readonly signed_distance: number;
      readonly intersect: boolean;
      readonly direction: readonly number[];
    }[];
  }
  const { shapes, cases } = (
    hasData ? JSON.parse(readFileSync(dataPath('convex_pairs.json'), 'utf8')) : { shapes: [], cases: [] }
  ) as Oracle;
  const polytopes = (): Shape[] =>
    shapes.map(({ vertices }) => ({ kind: 'polytope', vertices: vertices.flat() }));
  const query = {
    poses: Float64Array.from(
      cases.flatMap(({ quat_xyzw, translation }) => [0, 0, 0, 0, 0, 0, 1, ...translation, ...quat_xyzw]),
    ),
    pairs: Uint32Array.from({ length: 2 * cases.length }, (_, i) => i),
    shapes: Uint32Array.from(cases.flatMap(({ a, b }) => [a, b])),
  };

  it.each(['gjk', 'gjk-johnson'] as const)(
    '%s: whether they intersect, and how far apart',
    async (algorithm) => {
      const intersect = await askKernels(device(), polytopes(), { ...query, kind: 'intersect', algorithm });
      const distance = await askKernels(device(), polytopes(), { ...query, kind: 'distance', algorithm });
      cases.forEach((one, i) => {
        if (intersect.status[i] !== PairStatus.iterationLimit) {
          expect(intersect.status[i] !== PairStatus.separated).toBe(one.intersect);
        }
        if (distance.status[i] === PairStatus.iterationLimit) return;
        expect(Math.abs(distance.distance[i]! - Math.max(0, one.signed_distance))).toBeLessThan(ACCURACY);
        if (one.signed_distance < 1e-2) return;
        // The oracle's direction is from B to A.
        expect(-dot(distance.normal.subarray(3 * i, 3 * i + 3), one.direction)).toBeGreaterThan(1 - 1e-5);
      });
      // A fifth of the cases is within 1e-5 of touching: float32 must not decide them. It decides all others, except
      // for some in which Johnson's cofactors lose their digits.
      for (const { status } of [intersect, distance]) {
        const open = cases.map((_, i) => status[i] === PairStatus.iterationLimit);
        const near = cases.map((one) => Math.abs(one.signed_distance) < 1e-4);
        expect(open.filter((isOpen, i) => near[i] && !isOpen)).toEqual([]);
        const others = open.filter((isOpen, i) => isOpen && !near[i]).length;
        expect(others).toBeLessThanOrEqual(algorithm === 'gjk' ? 0 : 0.05 * cases.length);
      }
    },
  );
});
