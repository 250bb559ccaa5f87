// Properties of all algorithms over all pairs of kinds. What they are held against is closed-form support functions.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TOUCHING_TOLERANCE } from '../../../src/convex/constants.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { hold } from '../../support/hold.ts';
import { ask } from '../ask.ts';
import {
  arbitraryPlaced,
  directions,
  dot,
  kindPairs,
  outsideBy,
  overlapAlong,
  type Placed,
  placedSupport,
  rotate,
  sizeOf,
  type Vector,
} from '../shapes-of-all-kinds.ts';

const runs = { numRuns: 10, endOnFailure: true };
const negative = (n: Vector): Vector => [-n[0], -n[1], -n[2]];
const lengthOf = (v: ArrayLike<number>) => Math.sqrt(dot(v, v));
/** Measure of tolerances: at most the pair's size as src has it. */
const measure = (a: Placed, b: Placed) =>
  sizeOf(a.shape) + sizeOf(b.shape) + Math.hypot(...a.position.map((x, k) => x - b.position[k]!)) || 1;

describe.each(kindPairs)('%s and %s', (kindA, kindB) => {
  const pairs = fc.tuple(arbitraryPlaced(kindA), arbitraryPlaced(kindB));

  it('GJK and EPA: bounds, normal and points prove the signed distance', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const answer = ask(a, b, 'signed-distance');
        const size = measure(a, b);
        const { distance, normal, pointA, pointB } = answer;
        expect(answer.status).not.toBe(PairStatus.iterationLimit);
        expect(Math.abs(lengthOf(normal) - 1)).toBeLessThan(1e-12);
        expect(answer.lower).toBeLessThanOrEqual(distance + 1e-12 * size);
        expect(answer.upper).toBeGreaterThanOrEqual(distance - 1e-12 * size);
        if (answer.status !== PairStatus.degenerate) {
          expect(answer.upper - answer.lower).toBeLessThan(1e-10 * size);
        }
        // The support functions know that much distance along the normal, and no direction knows more.
        expect(Math.abs(overlapAlong(a, b, normal) + distance)).toBeLessThan(1e-10 * size);
        for (const n of directions) {
          const far = -overlapAlong(a, b, n);
          hold(far < answer.upper + 1e-10 * size, () => `${far} along ${n}, at most ${answer.upper}`);
        }
        // Points lie on the shapes, that far apart.
        for (let k = 0; k < 3; k++) {
          expect(Math.abs(pointB[k]! - pointA[k]! - distance * normal[k]!)).toBeLessThan(1e-12 * size);
        }
        const around = [normal, negative(normal)];
        expect(outsideBy(a, pointA, around)).toBeLessThan(1e-6 * size);
        expect(outsideBy(b, pointB, around)).toBeLessThan(1e-6 * size);
        // Of many directions, none is that of a face to the last digit.
        const rough = answer.status === PairStatus.degenerate ? 1e-5 : 1e-9;
        expect(Math.abs(dot(normal, pointA) - placedSupport(a, normal))).toBeLessThan(rough * size);
      }),
      runs,
    );
  });

  it('MPR has the sign of GJK (theorem 4.1), is not below the distance, and equals it inside a portal (4.2)', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const exact = ask(a, b, 'signed-distance');
        const mpr = ask(a, b, 'signed-distance', 'mpr');
        const size = measure(a, b);
        expect(mpr.status).not.toBe(PairStatus.iterationLimit);
        if (Math.abs(exact.distance) > 4 * TOUCHING_TOLERANCE * size) {
          expect(Math.sign(mpr.distance)).toBe(Math.sign(exact.distance));
        }
        const gap = 1e-10 * size;
        // Flat shapes that touch have any depth along a ray in their plane: not below the distance, which is 0, but
        // deeper.
        if (exact.distance > 4 * TOUCHING_TOLERANCE * size)
          expect(mpr.distance).toBeGreaterThan(exact.distance - gap);
        else if (exact.status !== PairStatus.degenerate) {
          expect(mpr.distance).toBeLessThan(exact.distance + gap);
        }
        // Where its normal is that of a support plane at its distance, the point is interior to the portal: it is
        // exact.
        if (mpr.distance > gap && Math.abs(overlapAlong(a, b, mpr.normal) + mpr.distance) < gap) {
          expect(Math.abs(mpr.distance - exact.distance)).toBeLessThan(2 * gap);
        }
        expect(mpr.lower).toBeLessThan(exact.upper + gap);
        expect(mpr.upper).toBeGreaterThan(exact.lower - gap);
        for (let k = 0; k < 3; k++) {
          expect(Math.abs(mpr.pointB[k]! - mpr.pointA[k]! - mpr.distance * mpr.normal[k]!)).toBeLessThan(
            1e-12 * size,
          );
        }
        const around = [mpr.normal, negative(mpr.normal)];
        expect(outsideBy(a, mpr.pointA, around)).toBeLessThan(1e-6 * size);
        expect(outsideBy(b, mpr.pointB, around)).toBeLessThan(1e-6 * size);
      }),
      runs,
    );
  });

  it('MPR in two passes: a lower bound that holds, however wide the gap', () => {
    fc.assert(
      fc.property(pairs, fc.constantFrom(0.1, 2 ** -10, 2 ** -20), ([a, b], tolerance) => {
        const exact = ask(a, b, 'signed-distance', 'gjk', { tolerance: 2 ** -40 });
        const mpr = ask(a, b, 'penetration', 'mpr', { tolerance });
        expect(mpr.lower).toBeLessThan(exact.upper + 2 ** -44 * measure(a, b));
      }),
      runs,
    );
  });

  it('all algorithms agree on whether they intersect', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const exact = ask(a, b, 'signed-distance');
        const size = measure(a, b);
        const near = Math.abs(exact.distance) <= 4 * TOUCHING_TOLERANCE * size;
        const intersects = exact.distance <= 0;
        for (const algorithm of ['gjk', 'gjk-johnson', 'mpr'] as const) {
          const { status } = ask(a, b, 'intersect', algorithm);
          expect(status).not.toBe(PairStatus.iterationLimit);
          if (!near) expect(status).toBe(intersects ? PairStatus.converged : PairStatus.separated);
          const depth = ask(a, b, 'penetration', algorithm);
          if (near) continue;
          if (!intersects) {
            expect(depth.status).toBe(PairStatus.separated);
            // The lower bound and its axis are a proof.
            expect(Math.abs(overlapAlong(a, b, depth.normal) + depth.distance)).toBeLessThan(1e-10 * size);
            expect(depth.distance).toBeGreaterThanOrEqual(-1e-12 * size);
          } else if (algorithm !== 'mpr') {
            expect(depth.distance).toBeLessThan(0);
            if (exact.status !== PairStatus.degenerate) {
              expect(Math.abs(depth.distance - exact.distance)).toBeLessThan(1e-9 * size);
            }
          } else {
            expect(depth.distance).toBeLessThan(1e-10 * size);
            if (exact.status !== PairStatus.degenerate) {
              expect(depth.distance).toBeLessThan(exact.distance + 1e-10 * size);
            }
          }
        }
        const distance = ask(a, b, 'distance', 'gjk-johnson');
        expect(Math.abs(distance.distance - Math.max(0, exact.distance))).toBeLessThan(1e-10 * size);
      }),
      runs,
    );
  });

  it('swapping A and B turns the normal and keeps the distance', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const size = measure(a, b);
        const one = ask(a, b, 'signed-distance');
        const other = ask(b, a, 'signed-distance');
        const near = Math.abs(one.distance) <= 4 * TOUCHING_TOLERANCE * size;
        for (const algorithm of ['mpr', 'gjk-johnson'] as const) {
          const [to, fro] = [ask(a, b, 'intersect', algorithm), ask(b, a, 'intersect', algorithm)];
          if (!near) expect(to.status).toBe(fro.status);
        }
        if (one.status === PairStatus.degenerate || other.status === PairStatus.degenerate) return;
        expect(Math.abs(one.distance - other.distance)).toBeLessThan(1e-10 * size);
        expect(Math.abs(overlapAlong(a, b, negative(other.normal)) + one.distance)).toBeLessThan(1e-9 * size);
        // A unique normal: where apart by far more than rounding.
        if (one.distance > 1e-3 * size) expect(dot(one.normal, other.normal)).toBeLessThan(-1 + 1e-7);
      }),
      runs,
    );
  });

  it('rigid motion and scales from 1e-6 to 1e6 change nothing else', () => {
    const motion = fc.tuple(
      arbitraryPlaced('point'),
      fc.constantFrom(1e-6, 1e-3, 1, 1e3, 1e6),
      fc.constantFrom('gjk', 'mpr') as fc.Arbitrary<'gjk' | 'mpr'>,
    );
    fc.assert(
      fc.property(pairs, motion, ([a, b], [{ position, rotation }, scale, algorithm]) => {
        const move = (p: Placed): Placed => ({
          shape: scaled(p.shape, scale) as Placed['shape'],
          position: rotate(rotation, p.position).map(
            (x, k) => scale * (x + position[k]!),
          ) as unknown as Vector,
          rotation: product(rotation, p.rotation),
        });
        const size = measure(a, b);
        const one = ask(a, b, 'signed-distance', algorithm);
        const other = ask(move(a), move(b), 'signed-distance', algorithm);
        if (one.status === PairStatus.degenerate || other.status === PairStatus.degenerate) return;
        if (algorithm === 'gjk') {
          expect(Math.abs(other.distance / scale - one.distance)).toBeLessThan(1e-10 * size);
        } else if (Math.abs(one.distance) > 1e-12 * size) {
          // MPR's portal jumps where its ray passes an edge, but never to the other sign.
          expect(Math.sign(other.distance)).toBe(Math.sign(one.distance));
          // A power of two changes no rounding, hence no portal, unless numbers underflow.
          if ([a, b].some(underflows)) return;
          const doubled = (p: Placed): Placed => ({
            shape: scaled(p.shape, 1024) as Placed['shape'],
            position: p.position.map((x) => 1024 * x) as unknown as Vector,
            rotation: p.rotation,
          });
          expect(ask(doubled(a), doubled(b), 'signed-distance', 'mpr').distance).toBe(1024 * one.distance);
        }
      }),
      runs,
    );
  });
});

const LENGTHS = new Set([
  'halfLength',
  'halfExtents',
  'radius',
  'radii',
  'halfHeight',
  'height',
  'tubeRadius',
  'bottom',
  'top',
  'vertices',
  'margin',
  'position',
]);

function scaled(value: unknown, scale: number, isLength = false): unknown {
  if (typeof value === 'number') return isLength ? scale * value : value;
  if (Array.isArray(value)) return value.map((x) => scaled(x, scale, isLength));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, x]) => [key, scaled(x, scale, LENGTHS.has(key))]),
  );
}

/** Whether a product of five of its numbers may be below the smallest normal one, 2^-1022. */
function underflows(value: unknown): boolean {
  if (typeof value === 'number') return value !== 0 && Math.abs(value) < 2 ** -200;
  return typeof value === 'object' && value !== null && Object.values(value).some(underflows);
}

function product(p: readonly number[], q: readonly number[]): Placed['rotation'] {
  const [a, b, c, d] = p as [number, number, number, number];
  const [e, f, g, h] = q as [number, number, number, number];
  return [
    d * e + a * h + b * g - c * f,
    d * f - a * g + b * h + c * e,
    d * g + a * f - b * e + c * h,
    d * h - a * e - b * f - c * g,
  ];
}
