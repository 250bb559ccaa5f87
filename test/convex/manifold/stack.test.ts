/** What manifolds are for: stacks that stand. */
import { expect, it } from 'vitest';
import type { ManifoldRule } from '../../../src/convex/manifold/manifold.ts';
import { ImpulseSolver, type SolverBody } from '../../support/impulse-solver.ts';

const BOXES = 8;

/** Eight unit cubes on a floor, each turned about the axis of the stack and placed a little off it. */
function stack(): SolverBody[] {
  const floor: SolverBody = {
    shape: { kind: 'box', halfExtents: [10, 10, 0.5] },
    pose: [0, 0, -0.5, 0, 0, 0, 1],
    inverseMass: 0,
    inverseInertia: [0, 0, 0],
  };
  const boxes = Array.from({ length: BOXES }, (_, i): SolverBody => {
    const half = 0.05 * i;
    return {
      shape: { kind: 'box', halfExtents: [0.5, 0.5, 0.5] },
      pose: [0.02 * Math.sin(3 * i), 0.02 * Math.cos(5 * i), i + 0.5, 0, 0, Math.sin(half), Math.cos(half)],
      inverseMass: 1,
      inverseInertia: [6, 6, 6],
    };
  });
  return [floor, ...boxes];
}

/** Largest tilt in degrees, and how far the topmost box has sunk, after some seconds. */
function after(seconds: number, rule: ManifoldRule) {
  const solver = new ImpulseSolver(stack(), rule);
  for (let i = 0; i < 60 * seconds; i++) solver.step();
  const boxes = solver.bodies.slice(1);
  const tilts = boxes.map(({ pose: [, , , x, y] }) => Math.acos(1 - 2 * (x! * x! + y! * y!)));
  return { tilt: Math.max(...tilts) * (180 / Math.PI), sunk: BOXES - 0.5 - boxes.at(-1)!.pose[2]! };
}

it('eight boxes under 30 impulse iterations stand for five seconds on clipped faces, and fall on sampled ones', () => {
  const standing = after(5, 'clipped');
  expect(standing.tilt).toBeLessThan(1);
  // The solver leaves 5 mm of each overlap alone: 40 mm of eight.
  expect(standing.sunk).toBeLessThan(0.08);
  expect(standing.sunk).toBeGreaterThan(0);
  const fallen = after(5, 'sampled');
  expect(fallen.tilt).toBeGreaterThan(10);
  expect(fallen.sunk).toBeGreaterThan(1);
});
