/** Runs a case through every algorithm. */
import { expect } from 'vitest';
import { PairStatus } from '../../src/convex/pair/status.ts';
import { type PairAlgorithm, refinesPortals } from '../../src/convex/query/pair-kinds.ts';
import type { ConvexShape } from '../../src/convex/shapes/shapes.ts';
import { type Answer, ask, type PlacedShape } from '../convex/ask.ts';
import { outsideBy, type Placed, type Quaternion, type Vector } from '../convex/shapes-of-all-kinds.ts';

export const ALGORITHMS: readonly PairAlgorithm[] = ['gjk', 'gjk-johnson', 'sweep-gjk', 'mpr', 'mpr-olvang'];
export const box = (x: number, y: number, z: number): ConvexShape => ({
  kind: 'box',
  halfExtents: [x, y, z],
});
export const cube = box(0.5, 0.5, 0.5);
export const hull = (...points: number[][]): ConvexShape => ({ kind: 'polytope', vertices: points.flat() });
export const placed = (shape: ConvexShape, position: Vector, rotation: Quaternion): Placed => ({
  shape,
  position,
  rotation,
});

/** Expects what must hold for every answer, whatever the case. */
function expectSound(a: PlacedShape, b: PlacedShape, answer: Answer, size: number): void {
  expect(answer.status).not.toBe(PairStatus.iterationLimit);
  for (const x of [answer.distance, ...answer.normal, ...answer.pointA, ...answer.pointB]) {
    expect(Number.isFinite(x)).toBe(true);
  }
  expect(Math.hypot(...answer.normal)).toBeCloseTo(1, 12);
  expect(outsideBy(a as Placed, answer.pointA, [answer.normal])).toBeLessThan(1e-7 * size);
  expect(outsideBy(b as Placed, answer.pointB, [answer.normal])).toBeLessThan(1e-7 * size);
}

/**
 * The signed distance by GJK and EPA. Expects the signs of all algorithms to agree with it, and their answers to be
 * sound.
 */
export function inEveryWay(a: PlacedShape, b: PlacedShape, size = 1): Answer {
  const exact = ask(a, b, 'signed-distance', 'gjk');
  expectSound(a, b, exact, size);
  const touching = exact.status === PairStatus.touching;
  for (const algorithm of ALGORITHMS) {
    const answer = ask(a, b, 'signed-distance', algorithm, { sweepRadius: 1e3 * size });
    expectSound(a, b, answer, size);
    if (refinesPortals(algorithm)) {
      if (!touching) expect(Math.sign(answer.distance)).toBe(Math.sign(exact.distance));
    } else {
      expect(Math.abs(answer.distance - exact.distance)).toBeLessThan(1e-9 * size);
    }
    const { status } = ask(a, b, 'intersect', algorithm);
    if (!touching) expect(status === PairStatus.separated).toBe(exact.distance > 0);
  }
  return exact;
}
