// MPR's kernels where float32 is hard put: touching, aligned, concentric, flat, slender.
import { describe, expect, it } from 'vitest';
import { TOUCHING_TOLERANCE_32 } from '../../../src/convex/constants.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import type { ConvexShape } from '../../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { useDevice } from '../../support/device.ts';
import { type Placed, rotate, type Vector } from '../shapes-of-all-kinds.ts';
import { kernelAnswers } from './mpr-answers.ts';
import { asBodies, claimed, type PlacedPair, undecidedShare } from './mpr-claims.ts';

const device = useDevice();
const mprKinds = ['intersect', 'penetration', 'signed-distance'] as const;
const cube: ConvexShape = { kind: 'box', halfExtents: [1, 1, 1] };
const put = (shape: ConvexShape, position: Vector, rotation: Placed['rotation'] = [0, 0, 0, 1]): Placed => ({
  shape,
  position,
  rotation,
});

const thin: readonly ConvexShape[] = [
  { kind: 'rectangle', halfExtents: [1, 0.5] },
  { kind: 'disc', radius: 1 },
  { kind: 'ellipse', radii: [1, 0.01] },
  { kind: 'segment', halfLength: 1 },
  { kind: 'box', halfExtents: [1, 1, 1e-4] },
  { kind: 'box', halfExtents: [1, 1e-3, 1e-3] },
  { kind: 'ellipsoid', radii: [1, 1e-3, 1e-3] },
  { kind: 'ellipsoid', radii: [1, 1, 1e-3] },
  { kind: 'cone', radius: 1e-2, height: 2 },
  { kind: 'capsule', halfLength: 1, radius: 1e-4 },
  { kind: 'polytope', vertices: [1, 0, 0, -1, 1e-3, 0, -1, 0, 1e-3, 0, -1e-3, -1e-3] },
];

/** Pairs of thin bodies anywhere, without parallel ones, whose difference is flat: those are for float64. */
const thinPairs = (() => {
  const random = createRandom(8);
  const placed = (): Placed => {
    const q = Array.from({ length: 4 }, () => 2 * random() - 1);
    const length = Math.hypot(...q);
    return put(
      thin[Math.floor(random() * thin.length)]!,
      [random(), random(), random()],
      q.map((x) => x / length) as unknown as Placed['rotation'],
    );
  };
  return Array.from({ length: 2000 }, () => [placed(), placed()] as const);
})();

/** Points a hair off thin plates, and whether that is certainly more than float32 leaves open. */
const nearPlates = (() => {
  const random = createRandom(18);
  const pairs: PlacedPair[] = [];
  const far: boolean[] = [];
  for (let i = 0; i < 6000; i++) {
    const thickness = i % 7 === 0 ? 0 : 10 ** (-8 + 4 * random());
    const gap = 10 ** (-9 + 8 * random());
    const above = thickness + gap;
    // Sizes are below 3: certainly more than float32 leaves open.
    far.push(gap > 12 * TOUCHING_TOLERANCE_32);
    const q = Array.from({ length: 4 }, () => 2 * random() - 1);
    const length = Math.hypot(...q);
    const turn = q.map((x) => x / length) as unknown as Placed['rotation'];
    const point = rotate(turn, [1.8 * random() - 0.9, 1.8 * random() - 0.9, i % 2 === 0 ? above : -above]);
    const other: ConvexShape = i % 3 === 0 ? { kind: 'box', halfExtents: [0, 0, 0] } : { kind: 'point' };
    pairs.push([
      put({ kind: 'box', halfExtents: [1, 1, thickness] }, [0, 0, 0], turn),
      put(other, point, turn),
    ]);
  }
  return { pairs, far };
})();

describe.each(mprKinds)('%s', (kind) => {
  it('touching boxes, faces, edges or corners together: left to float64', async () => {
    const touching: readonly Vector[] = [
      [2, 0, 0],
      [2, 0.5, 0.25],
      [2, 2, 0],
      [2, 2, 2],
      [-2, 1, 2],
    ];
    const { status } = await claimed(
      device(),
      touching.map((by) => [put(cube, [0, 0, 0]), put(cube, by)] as const),
      kind,
    );
    for (const one of status) expect(one).toBe(PairStatus.iterationLimit);
  });

  it('stacked boxes, apart or overlapping by four times what float32 knows: decided', async () => {
    // The pair's size is below 7.
    const gap = 4 * 7 * TOUCHING_TOLERANCE_32;
    const pairs: PlacedPair[] = [];
    for (const sign of [-1, 1]) {
      for (const [y, z] of [
        [0, 0],
        [0.5, 0],
        [1, 1],
        [0.25, -0.75],
      ] as const) {
        const far = 2 + sign * gap;
        for (const by of [
          [far, y, z],
          [y, -far, z],
          [z, y, far],
        ] as const) {
          pairs.push([put(cube, [0, 0, 0]), put(cube, by)]);
        }
      }
    }
    const { status } = await claimed(device(), pairs, kind);
    for (const one of status) expect(one).not.toBe(PairStatus.iterationLimit);
  });

  it('the libccd cubes, aligned and overlapping by 0.1: no NaN, depth 0.1', async () => {
    const half: ConvexShape = { kind: 'box', halfExtents: [0.5, 0.5, 0.5] };
    const found = await claimed(device(), [[put(half, [0, 0, 0]), put(half, [0.9, 0, 0])]], kind);
    expect(found.status[0]).toBe(kind === 'intersect' ? PairStatus.converged : PairStatus.bounded);
    if (kind === 'intersect') return;
    expect(Math.abs(found.distance[0]! + 0.1)).toBeLessThan(1e-5);
    expect(found.normal[0]).toBeCloseTo(1, 5);
  });

  it('coinciding centres: an intersection where one is fat, and otherwise no claim', async () => {
    const disc: ConvexShape = { kind: 'disc', radius: 1 };
    const cone: ConvexShape = { kind: 'cone', radius: 1, height: 1 };
    const pairs: PlacedPair[] = [
      [put(cube, [3, 4, 5]), put(cube, [3, 4, 5], [0.5, 0.5, 0.5, 0.5])],
      [put(cone, [0, 0, 0]), put(disc, [0, 0, 0])],
      [put(disc, [0, 0, 0]), put(disc, [0, 0, 0], [Math.SQRT1_2, 0, 0, Math.SQRT1_2])],
      [put({ kind: 'point' }, [1, 1, 1]), put({ kind: 'point' }, [1, 1, 1])],
    ];
    const { status } = await claimed(device(), pairs, kind);
    const left = PairStatus.iterationLimit;
    const fat = kind === 'intersect' ? PairStatus.converged : left;
    expect([...status]).toEqual([fat, fat, left, left]);
  });

  it('flat, thin and needle-shaped bodies at any place: nothing wrong', async () => {
    expect(undecidedShare(await claimed(device(), thinPairs, kind))).toBeLessThan(0.02);
  });

  it('points a hair off thin plates, which rays from the centre run along: not called an intersection', async () => {
    const { status } = await claimed(device(), nearPlates.pairs, kind);
    let decided = 0;
    const { far } = nearPlates;
    far.forEach((isFar, i) => {
      if (isFar && status[i] !== PairStatus.iterationLimit) decided++;
    });
    const most = far.filter((isFar) => isFar).length;
    expect(most).toBeGreaterThan(1000);
    // Of signed distances those from plates without thickness, which are flat, are left.
    expect(decided).toBeGreaterThan(0.85 * most);
  });

  it('shapes a hair apart or a hair deep: each decided rightly or left alone', async () => {
    const shapes: readonly ConvexShape[] = [
      cube,
      { kind: 'sphere', radius: 1 },
      { kind: 'cylinder', radius: 1, halfHeight: 1 },
      { kind: 'round-box', halfExtents: [0.5, 0.5, 0.5], radius: 0.5 },
    ];
    const pairs: PlacedPair[] = [];
    for (const a of shapes) {
      for (const b of shapes) {
        // All reach 1 along x.
        for (let power = 8; power <= 30; power++) {
          for (const sign of [-1, 1]) {
            pairs.push([put(a, [0.3, 0.2, 0.1]), put(b, [2.3 + sign * 2 ** -power, 0.2, 0.1])]);
          }
        }
      }
    }
    const { status } = await claimed(device(), pairs, kind);
    // Sizes are from 4 to 6: sure from 2^-13 on, unsure below 2^-18.
    pairs.forEach((_, i) => {
      const power = 8 + (Math.floor(i / 2) % 23);
      if (power <= 12) expect(status[i]).not.toBe(PairStatus.iterationLimit);
      if (power >= 18) expect(status[i]).toBe(PairStatus.iterationLimit);
    });
  });
});

it('distance: that of separated pairs, 0 for those that overlap', async () => {
  const pairs: PlacedPair[] = [
    [put(cube, [0, 0, 0]), put(cube, [2.5, 0.1, 0.2])],
    [put(cube, [0, 0, 0]), put(cube, [1.5, 0.1, 0.2])],
  ];
  const { status, distance } = await kernelAnswers(device(), asBodies(pairs), 'distance');
  expect([...status]).toEqual([PairStatus.converged, PairStatus.converged]);
  expect(distance[0]).toBeGreaterThan(0.5 - 1e-5);
  expect(distance[1]).toBe(0);
});
