import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { hold } from '../../support/hold.ts';
import { ask, at } from '../ask.ts';
import { convexShapes, kinds, type Placed, rotate, unitQuaternion } from '../shapes-of-all-kinds.ts';

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
            const where = () => `at ${s}: ${distance}, ${before} a step farther`;
            if (status === PairStatus.separated) {
              // Only a lower bound, above the sweep.
              hold(distance > 2 * sweepRadius, where);
              hold(before === undefined, where);
              continue;
            }
            hold(distance < 2 * sweepRadius + 1e-9, where);
            // The first one inside the sweep is no more than a step in.
            if (before === undefined && s < 4) hold(distance > 2 * sweepRadius - step - 1e-9, where);
            if (before !== undefined) hold(Math.abs(distance - before) < step + 1e-9, where);
            before = distance;
          }
        }),
        // Each run is 400 queries along a line, so that few lines per kind of shape have to do.
        { numRuns: 6, endOnFailure: true },
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

  it.each([2 ** -20, 0.1])(
    'with a tolerance of %f: what is beyond the sweep is separated, and nothing else',
    (tolerance) => {
      const shape = { kind: 'cone', radius: 0.5, height: 1 } as const;
      for (let x = 1.35; x < 1.45; x += 1 / 512) {
        const [a, b] = [at(shape), at(shape, x, 0.1, 0.2)];
        const exact = ask(a, b, 'signed-distance', 'gjk', { tolerance: 2 ** -40 }).distance;
        for (const offset of [-1e-6, 1e-6]) {
          const swept = ask(a, b, 'penetration', 'sweep-gjk', {
            tolerance,
            sweepRadius: (exact + offset) / 2,
          });
          expect(swept.status).toBe(offset < 0 ? PairStatus.separated : PairStatus.converged);
        }
      }
    },
  );

  it('of 0 and depth: what only EPA finds apart is separated', () => {
    const a: Placed = {
      shape: { kind: 'rectangle', halfExtents: [1, 0.5] },
      position: [0, 0, 0],
      rotation: [0.7071068111604822, -4.245682216933838e-7, 1.5751300580943962e-7, 0.7071067512124666],
    };
    const b: Placed = {
      shape: { kind: 'box', halfExtents: [0.16348585018004652, 0.25, 0.6021942495879659] },
      position: [1.1634862617945643, -0.2500003353357271, -0.7684378158301115],
      rotation: [0, 1, 0, 0],
    };
    const tolerance = 2 ** -20;
    const { distance } = ask(a, b, 'signed-distance', 'gjk', { tolerance: 2 ** -40 });
    expect(distance).toBeGreaterThan(5e-11);
    for (const kind of ['penetration', 'manifold'] as const) {
      const answer = ask(a, b, kind, 'gjk', { tolerance });
      expect(answer.status).toBe(PairStatus.separated);
      expect(answer.contacts).toEqual([]);
      expect(answer.distance).toBeGreaterThan(0);
      expect(answer.distance).toBeLessThan(1.01 * distance);
    }
  });
});
