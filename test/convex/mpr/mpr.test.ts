// MPR's intersection: few support points, and no wrong side where the ball about the inner point decides.
import { describe, expect, it } from 'vitest';
import { TOUCHING_TOLERANCE } from '../../../src/convex/constants.ts';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { ConvexShape, Shape } from '../../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { hold } from '../../support/hold.ts';
import { ask, at } from '../ask.ts';
import { randomPairs, randomShapes } from '../gpu/random-pairs.ts';

const cube: ConvexShape = { kind: 'box', halfExtents: [1, 1, 1] };

describe('support points', () => {
  it('none where the ball about the inner point holds the origin', () => {
    // Both cubes hold a ball of radius 1 about their centres.
    const { status, iterations } = ask(at(cube), at(cube, 1.1, 1.1, 1.1), 'intersect', 'mpr');
    expect([status, iterations]).toEqual([PairStatus.converged, 0]);
  });

  it.each(['intersect', 'penetration'] as const)(
    '%s: one where the first support plane separates',
    (kind) => {
      const { status, iterations } = ask(at(cube), at(cube, 3, 1, 0.5), kind, 'mpr');
      expect([status, iterations]).toEqual([PairStatus.separated, 1]);
    },
  );

  it('one also where no ball is known', () => {
    const plate: ConvexShape = { kind: 'rectangle', halfExtents: [1, 1] };
    const tilted = { ...at(plate, 3, 0.5, 0.4), rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] } as const;
    const { status, iterations } = ask(at(plate), tilted, 'intersect', 'mpr');
    expect([status, iterations]).toEqual([PairStatus.separated, 1]);
  });

  it.each(Object.entries(randomShapes))('%s: on average fewer than two', (name, shape) => {
    const table = new ShapeTable([shape]);
    const pairs = randomPairs(2000, 2 * table.boundingRadius(0));
    const [mpr, gjk] = (['mpr', 'gjk'] as const).map((algorithm) => {
      const { iterations, redone } = queryPairs(table, { ...pairs, kind: 'intersect', algorithm });
      expect(redone).toBe(0);
      return iterations.reduce((sum, one) => sum + one, 0) / iterations.length;
    });
    expect(mpr).toBeLessThan(2);
    // Cores without roundings are what GJK is quick about; MPR sees whole shapes.
    if (['box', 'hull', 'cone', 'cylinder'].includes(name)) expect(mpr).toBeLessThan(gjk!);
  });
});

describe('by the steps of the thesis', () => {
  it.each(['intersect', 'penetration'] as const)('%s: a whole portal before anything is decided', (kind) => {
    const { status, iterations } = ask(at(cube), at(cube, 3, 1, 0.5), kind, 'mpr-olvang');
    expect(status).toBe(PairStatus.separated);
    expect(iterations).toBeGreaterThanOrEqual(4);
  });

  it('one call where the first point lies on the ray', () => {
    for (const [x, status] of [
      [1.9, PairStatus.converged],
      [2.1, PairStatus.separated],
    ] as const) {
      const ball: ConvexShape = { kind: 'sphere', radius: 1 };
      expect(ask(at(ball), at(ball, x), 'intersect', 'mpr-olvang')).toMatchObject({ status, iterations: 1 });
    }
  });

  it.each(Object.entries(randomShapes))(
    '%s: the answers of a start from the ball, by more calls',
    (_, shape) => {
      const table = new ShapeTable([shape]);
      const pairs = randomPairs(2000, 2 * table.boundingRadius(0));
      const [mpr, olvang] = (['mpr', 'mpr-olvang'] as const).map((algorithm) =>
        queryPairs(table, { ...pairs, kind: 'intersect', algorithm }),
      );
      expect(olvang!.status).toEqual(mpr!.status);
      const sum = (calls: Uint32Array) => calls.reduce((all, one) => all + one, 0);
      expect(sum(olvang!.iterations)).toBeGreaterThan(sum(mpr!.iterations) + pairs.pairs.length / 2);
      // Without the ball rounding leaves some more pairs to GJK.
      expect(olvang!.redone).toBeLessThan(0.01 * 2000);
    },
  );
});

const slender: Readonly<Record<string, Shape>> = {
  ...randomShapes,
  plate: { kind: 'box', halfExtents: [1, 1, 1e-3] },
  'thinner plate': { kind: 'box', halfExtents: [1, 1, 1e-6] },
  needle: { kind: 'ellipsoid', radii: [1, 0.01, 0.01] },
  spike: { kind: 'cone', radius: 0.02, height: 2 },
};

describe('moved to a hair from touching, either way', () => {
  it.each(Object.entries(slender))('%s: the right side', (_, shape) => {
    const table = new ShapeTable([shape]);
    const { poses, pairs, shapes } = randomPairs(3000, table.boundingRadius(0), 5);
    const exact = queryPairs(table, {
      poses,
      pairs,
      shapes,
      kind: 'signed-distance',
      tolerance: 2 ** -44,
    });
    const random = createRandom(6);
    const near = Float64Array.from(poses);
    for (let i = 0; i < pairs.length / 2; i++) {
      // Apart by this then, up to its own share of how far B moves.
      const gap = (i % 2 === 0 ? 1 : -1) * 10 ** (-12 + 9 * random());
      for (let k = 0; k < 3; k++) {
        near[14 * i + 7 + k]! += (gap - exact.distance[i]!) * exact.normal[3 * i + k]!;
      }
    }
    const query = { poses: near, pairs, shapes };
    const now = queryPairs(table, { ...query, kind: 'signed-distance', tolerance: 2 ** -44 });
    const found = (['intersect', 'penetration', 'signed-distance'] as const).map((kind) => ({
      kind,
      ...queryPairs(table, { ...query, kind, algorithm: 'mpr' }),
    }));
    let [apart, overlapping] = [0, 0];
    for (let i = 0; i < pairs.length / 2; i++) {
      const exactly = now.distance[i]!;
      // Only what both bounds say, and what is more than touching: sizes are below six bounding radii.
      if (now.lower[i]! <= 0 && now.upper[i]! >= 0) continue;
      if (Math.abs(exactly) <= 4 * TOUCHING_TOLERANCE * 6 * table.boundingRadius(0)) continue;
      if (exactly > 0) apart++;
      else overlapping++;
      for (const { kind, status, distance } of found) {
        const separated = status[i] === PairStatus.separated || (distance.length > 0 && distance[i]! > 0);
        hold(
          separated === exactly > 0,
          () => `${kind}, pair ${i}: apart is ${separated}, exactly ${exactly}`,
        );
      }
    }
    expect(Math.min(apart, overlapping)).toBeGreaterThan(1000);
  });
});
