/** Cores whose difference has no volume: flat shapes in one plane and parallel segments, hardly apart. */
import { describe, expect, it } from 'vitest';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { PAIR_ALGORITHMS, refinesPortals } from '../../../src/convex/query/pair-kinds.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { ask, type PlacedShape } from '../ask.ts';
import { product, type Quaternion, rotate, turnAbout, type Vector } from '../shapes-of-all-kinds.ts';

const exact = PAIR_ALGORITHMS.filter((algorithm) => algorithm !== 'sweep-gjk');

/** Turned about z by one angle, then all of the scene by a rotation. */
function placed(
  shape: PlacedShape['shape'],
  position: Vector,
  angle: number,
  scene: Quaternion,
): PlacedShape {
  return { shape, position: rotate(scene, position), rotation: product(scene, turnAbout([0, 0, 1], angle)) };
}

const random = createRandom(11);
const scenes = Array.from({ length: 20 }, () => {
  const q = [0, 0, 0, 0].map(() => random() - 0.5);
  const length = Math.hypot(...q);
  return q.map((value) => value / length) as unknown as Quaternion;
});
const segment = { kind: 'segment', halfLength: 0.5 } as const;
const rectangle = { kind: 'rectangle', halfExtents: [0.5, 0.25] } as const;
const disc = { kind: 'disc', radius: 0.5 } as const;
const gaps = [1e-4, 1e-7, 4e-9, 1e-11] as const;

describe.each(exact)('%s', (algorithm) => {
  it.each([
    ['an end over the other segment', segment, segment, [0.1, 0.5, 0], Math.PI / 2, [0, 1, 0]],
    ['segments in one line', segment, segment, [1, 0, 0], 0, [1, 0, 0]],
    ['segments side by side', segment, segment, [0.3, 0, 0], 0, [0, 1, 0]],
    ['rectangles in one plane', rectangle, rectangle, [0.2, 0.5, 0], 0, [0, 1, 0]],
    [
      'a corner of a rectangle before another',
      rectangle,
      rectangle,
      [0.5 + 0.75 * Math.SQRT1_2, 0, 0],
      Math.PI / 4,
      [1, 0, 0],
    ],
    ['discs in one plane', disc, disc, [Math.SQRT1_2, Math.SQRT1_2, 0], 0, [Math.SQRT1_2, Math.SQRT1_2, 0]],
  ] as const)('%s: apart by the gap, however small', (_, a, b, contact, angle, direction) => {
    for (const scene of scenes) {
      for (const gap of gaps) {
        const position = contact.map((value, k) => value + gap * direction[k]!) as unknown as Vector;
        const pair = [placed(a, [0, 0, 0], 0, scene), placed(b, position, angle, scene)] as const;
        const { status, distance, lower, upper } = ask(...pair, 'signed-distance', algorithm, {
          tolerance: 2 ** -36,
        });
        // Positions and rotations are rounded to 2^-53 of some units.
        expect(Math.abs(distance - gap)).toBeLessThan(
          refinesPortals(algorithm) ? 2 ** -36 * 4 : 1e-14 + 2 ** -36 * gap,
        );
        expect(lower).toBeLessThan(gap + 1e-14);
        expect(upper).toBeGreaterThan(gap - 1e-14);
        expect(status).not.toBe(PairStatus.touching);
        expect(ask(...pair, 'intersect', algorithm).status).toBe(PairStatus.separated);
      }
    }
  });

  it('segments hardly apart in a plane that is nearly their own, on which GJK gets stuck', () => {
    const a = {
      shape: { kind: 'box', halfExtents: [0.5, 0, 0] },
      position: [0, 0, 0],
      rotation: [0, 0, 0, 1],
    } as const;
    const b = {
      shape: { kind: 'box', halfExtents: [0, 0.5, 0] },
      position: [0.5000000040067808, 0, 0],
      rotation: [0.7071067811865475, 8.00724007957341e-9, 1.4793497693780501e-15, 0.7071067811865475],
    } as const;
    for (const [first, second] of [
      [a, b],
      [b, a],
    ] as const) {
      const { distance, status } = ask(first, second, 'signed-distance', algorithm, { tolerance: 2 ** -20 });
      // The end of A's segment is over B's, whose line is across.
      expect(distance).toBeCloseTo(0.0000000040067808, 15);
      expect(status).toBe(PairStatus.converged);
      expect(ask(first, second, 'intersect', algorithm).status).toBe(PairStatus.separated);
    }
  });
});
