// MPR's kernels for the bodies of the thesis' benchmark: tens of thousands of pairs each, compared with the exact
// answers and the twins.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LEAST_GAP_32, PORTAL_ERROR_32, TOUCHING_TOLERANCE_32 } from '../../../src/convex/constants.ts';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { Shape } from '../../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { dataPath, describeWithData, hasData } from '../../support/data.ts';
import { useDevice } from '../../support/device.ts';
import { kernelAnswers, type PairsOfBodies } from './mpr-answers.ts';

/** What a portal proves: a distance where the nearest point is inside it, and no depth. */
const statusesOf = (isSeparated: boolean, isApart: boolean): readonly number[] =>
  isSeparated
    ? [PairStatus.separated]
    : isApart
      ? [PairStatus.converged, PairStatus.bounded]
      : [PairStatus.bounded];

const device = useDevice();
const COUNT = 20_000;
/** Farthest that centres are apart, a little more than bodies reach. */
const FARTHEST = 3.6;
/** At most the size of these pairs: radii of at most 1.75 and the distance of centres. */
const SIZE = 2 * 1.75 + FARTHEST;
const ACCURACY = 1e-5 * SIZE;

/** Directions with independent normal coordinates, which no direction is preferred by. */
function onSphere(random: () => number, dimension: number): number[] {
  const v = Array.from(
    { length: dimension },
    () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  );
  const length = Math.hypot(...v);
  return v.map((x) => x / length);
}

function hullOfPoints(count: number): Shape {
  const random = createRandom(50);
  return { kind: 'polytope', vertices: Array.from({ length: count }, () => onSphere(random, 3)).flat() };
}

const shapes: Readonly<Record<string, Shape>> = {
  box: { kind: 'box', halfExtents: [1, 1, 1] },
  ellipsoid: { kind: 'ellipsoid', radii: [0.5, 1, 0.75] },
  'round box': { kind: 'round-box', halfExtents: [0.8, 0.8, 0.8], radius: 0.2 },
  'hull of 50 points': hullOfPoints(50),
  cone: { kind: 'cone', radius: 1, height: 2 },
};

function randomPairs(shape: Shape): PairsOfBodies {
  const random = createRandom(2010);
  const poses = new Float32Array(14 * COUNT);
  for (let i = 0; i < 2 * COUNT; i++) {
    const far = i % 2 === 0 ? 0 : FARTHEST * random();
    poses.set(
      onSphere(random, 3).map((x) => far * x),
      7 * i,
    );
    poses.set(onSphere(random, 4), 7 * i + 3);
  }
  return {
    table: new ShapeTable([shape]),
    poses,
    shapes: new Uint32Array(2 * COUNT),
    pairs: Uint32Array.from({ length: 2 * COUNT }, (_, i) => i),
  };
}

const share = (values: ArrayLike<unknown>, holds: (i: number) => boolean) =>
  Array.from(values, (_, i) => holds(i)).filter(Boolean).length / values.length;

describe.each(Object.keys(shapes))('%s', (name) => {
  const pairs = randomPairs(shapes[name]!);
  const exact = queryPairs(pairs.table, { ...pairs, kind: 'signed-distance' });

  it('intersection: no wrong boolean, next to none undecided, as many support points as the twin', async () => {
    const { status, iterations } = await kernelAnswers(device(), pairs, 'intersect');
    const twin = queryPairs(pairs.table, { ...pairs, kind: 'intersect', algorithm: 'mpr' });
    const wrong = Array.from(status.keys()).filter(
      (i) =>
        status[i] !== PairStatus.iterationLimit &&
        status[i] !== (exact.distance[i]! > 0 ? PairStatus.separated : PairStatus.converged),
    );
    expect(wrong).toEqual([]);
    expect(share(status, (i) => status[i] === PairStatus.iterationLimit)).toBeLessThan(1e-3);
    const mean = (values: Uint32Array) => values.reduce((sum, one) => sum + one, 0) / values.length;
    const ratio = mean(iterations) / mean(twin.iterations);
    expect(ratio).toBeGreaterThan(0.99);
    expect(ratio).toBeLessThan(1.01);
  });

  it.each(['signed-distance', 'penetration'] as const)(
    '%s: bounds by theorem 4.2, mostly what the twin says',
    async (kind) => {
      const found = await kernelAnswers(device(), pairs, kind);
      const tolerance = LEAST_GAP_32;
      const twin = queryPairs(pairs.table, { ...pairs, kind, algorithm: 'mpr', tolerance });
      const undecided = (i: number) => found.status[i] === PairStatus.iterationLimit;
      const wrong: string[] = [];
      for (let i = 0; i < COUNT; i++) {
        if (undecided(i)) continue;
        const [d, e] = [found.distance[i]!, exact.distance[i]!];
        const isApart = e > 0;
        const separated = isApart && kind === 'penetration';
        const holds =
          d > 0 === isApart &&
          statusesOf(separated, isApart).includes(found.status[i]!) &&
          found.lower[i]! <= e &&
          found.upper[i]! >= e &&
          (isApart && !separated ? d > e - ACCURACY : d < e + ACCURACY);
        if (!holds) wrong.push(`${i}: ${d}, exactly ${e}`);
      }
      expect(wrong).toEqual([]);
      expect(share(found.status, undecided)).toBeLessThan(5e-3);
      // Support points tie along faces, and rays graze portals: both may then end at another portal of the same plane.
      const same = share(found.status, (i) => Math.abs(found.distance[i]! - twin.distance[i]!) < ACCURACY);
      expect(same).toBeGreaterThan(0.9);
      const excess = (of: ArrayLike<number>) =>
        exact.distance.reduce((sum, e, i) => sum + (undecided(i) ? 0 : of[i]! - e), 0) / COUNT;
      expect(Math.abs(excess(found.distance) - excess(twin.distance))).toBeLessThan(
        0.05 * Math.abs(excess(twin.distance)) + PORTAL_ERROR_32 * SIZE,
      );
    },
  );
});

describeWithData('300 pairs of polytopes against the hull of their Minkowski difference', () => {
  const oracle = (
    hasData ? JSON.parse(readFileSync(dataPath('convex_pairs.json'), 'utf8')) : { shapes: [], cases: [] }
  ) as {
    readonly shapes: readonly { readonly vertices: readonly number[][] }[];
    readonly cases: readonly {
      readonly a: number;
      readonly b: number;
      readonly quat_xyzw: readonly number[];
      readonly translation: readonly number[];
      readonly signed_distance: number;
    }[];
  };
  const { cases } = oracle;
  const asked = (): PairsOfBodies => ({
    table: new ShapeTable(
      oracle.shapes.map(({ vertices }) => ({ kind: 'polytope', vertices: vertices.flat() })),
    ),
    poses: Float64Array.from(
      cases.flatMap(({ quat_xyzw, translation }) => [0, 0, 0, 0, 0, 0, 1, ...translation, ...quat_xyzw]),
    ),
    shapes: Uint32Array.from(cases.flatMap(({ a, b }) => [a, b])),
    pairs: Uint32Array.from({ length: 2 * cases.length }, (_, i) => i),
  });

  /** Bodies have radius 1, the pair's size is below 4. */
  const DOUBT = 4 * TOUCHING_TOLERANCE_32;
  /** True where float32 leaves a pair to float64, which it may only near touching. */
  const isLeft = (status: number, distance: number): boolean => {
    if (status === PairStatus.iterationLimit) expect(Math.abs(distance)).toBeLessThan(DOUBT);
    return status === PairStatus.iterationLimit;
  };

  it('intersection: none wrong, none undecided but those within 6e-5 of touching', async () => {
    const { status } = await kernelAnswers(device(), asked(), 'intersect');
    cases.forEach(({ signed_distance }, i) => {
      if (isLeft(status[i]!, signed_distance)) return;
      expect(status[i]).toBe(signed_distance > 0 ? PairStatus.separated : PairStatus.converged);
    });
  });

  it('signed distance: not below the distance nor the depth, within bounds; exact where a plane says so', async () => {
    const found = await kernelAnswers(device(), asked(), 'signed-distance');
    let sure = 0;
    cases.forEach((one, i) => {
      const [d, e] = [found.distance[i]!, one.signed_distance];
      if (isLeft(found.status[i]!, e)) return;
      expect(statusesOf(false, e > 0)).toContain(found.status[i]);
      expect(Math.sign(d)).toBe(Math.sign(e));
      if (e > 0) expect(d).toBeGreaterThan(e - 1e-5);
      else expect(d).toBeLessThan(e + 1e-5);
      expect(found.lower[i]).toBeLessThanOrEqual(e);
      expect(found.upper[i]).toBeGreaterThanOrEqual(e);
      if (e > 0 && d - found.lower[i]! < 2 * PORTAL_ERROR_32 * 4) {
        sure++;
        expect(Math.abs(d - e)).toBeLessThan(4e-5);
      }
    });
    expect(sure).toBeGreaterThan(0);
  });

  it('penetration: depth not too small, exact for shallow contacts in two passes', async () => {
    const found = await kernelAnswers(device(), asked(), 'penetration');
    let close = 0;
    let shallow = 0;
    cases.forEach((one, i) => {
      const [d, e] = [found.distance[i]!, one.signed_distance];
      if (isLeft(found.status[i]!, e)) return;
      expect(statusesOf(e > 0, e > 0)).toContain(found.status[i]);
      expect(d).toBeLessThan(e + 1e-5);
      if (e < 0 && e > -0.1) {
        shallow++;
        if (d > 1.01 * e - 1e-5) close++;
      }
    });
    expect(shallow).toBeGreaterThan(10);
    expect(close / shallow).toBeGreaterThan(0.9);
  });
});
