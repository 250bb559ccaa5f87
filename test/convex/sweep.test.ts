import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PairStatus } from '../../src/convex/status.ts';
import { ask, at } from './ask.ts';
import { convexShapes, kinds, type Placed, rotate, unitQuaternion } from './shapes-of-all-kinds.ts';

describe('sweep GJK', () => {
  const sweepRadius = 0.2;
  const sweep = (a: Placed, b: Placed) => ask(a, b, 'penetration', 'sweep-gjk', { sweepRadius });

  it.each(kinds)(
    '%s: signed distance is continuous from beyond the sweep through touching to deep',
    (kind) => {
      fc.assert(
        fc.property(convexShapes[kind], unitQuaternion, (shape, rotation) => {
          const box: Placed = {
            shape: { kind: 'box', halfExtents: [0.5, 0.5, 0.5] },
            position: [0, 0, 0],
            rotation: [0, 0, 0, 1],
          };
          const direction = rotate(rotation, [0.6, 0.48, 0.64]);
          const b = (s: number): Placed => ({
            shape,
            rotation,
            position: [s * direction[0], s * direction[1], s * direction[2]],
          });
          const step = 0.01;
          let before: number | undefined;
          for (let s = 4; s > 0; s -= step) {
            const { status, distance } = sweep(box, b(s));
            if (status === PairStatus.separated) {
              // Only a lower bound, above the sweep.
              expect(distance).toBeGreaterThan(2 * sweepRadius);
              expect(before).toBeUndefined();
              continue;
            }
            expect(distance).toBeLessThan(2 * sweepRadius + 1e-9);
            // The first one inside the sweep is no more than a step in.
            if (before === undefined && s < 4)
              expect(distance).toBeGreaterThan(2 * sweepRadius - step - 1e-9);
            if (before !== undefined) expect(Math.abs(distance - before)).toBeLessThan(step + 1e-9);
            before = distance;
          }
        }),
        { numRuns: 2, endOnFailure: true },
      );
    },
  );

  it('has the distance of GJK where it has one, however small the step over touching', () => {
    for (let exponent = -3; exponent > -45; exponent -= 3) {
      for (const sign of [1, -1]) {
        const a = at({ kind: 'cylinder', radius: 0.5, halfHeight: 0.5 });
        const b = at({ kind: 'cone', radius: 0.5, height: 1 }, 0.2, 0.1, 0.75 + sign * 2 ** exponent);
        const answer = ask(a as Placed, b as Placed, 'penetration', 'sweep-gjk', { sweepRadius });
        expect(Math.abs(answer.distance - sign * 2 ** exponent)).toBeLessThan(1e-12);
      }
    }
  });
});
