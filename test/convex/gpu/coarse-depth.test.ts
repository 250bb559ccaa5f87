import { expect, it } from 'vitest';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import type { Shape } from '../../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { useDevice } from '../../support/device.ts';
import { askBoth } from './gpu-ask.ts';

const device = useDevice();
const COUNT = 1000;
const TOLERANCE = 2 ** -10;

const shapes: readonly Shape[] = [
  { kind: 'cone', radius: 0.5, height: 1 },
  { kind: 'cylinder', radius: 0.5, halfHeight: 0.5 },
];

/** Bodies one after another around the origin, turned anyhow: most neighbours overlap. */
function crowd(shape: number) {
  const random = createRandom(3);
  const poses = new Float64Array(14 * COUNT);
  for (let i = 0; i < 2 * COUNT; i++) {
    const turn = [0, 0, 0, 0].map(() => random() - 0.5);
    const length = Math.hypot(...turn);
    for (let k = 0; k < 3; k++) poses[7 * i + k] = 0.5 * (random() - 0.5);
    turn.forEach((q, k) => {
      poses[7 * i + 3 + k] = q / length;
    });
  }
  const pairs = Uint32Array.from({ length: 2 * COUNT }, (_, i) => i);
  return { poses, pairs, shapes: new Uint32Array(2 * COUNT).fill(shape) };
}

// A face as near as the gap allows lies below the support plane by that gap: no reason to leave the pair to the host.
it.each([0, 1])('depth to a coarse tolerance is answered by the kernel: shape %i', async (shape) => {
  const query = { ...crowd(shape), kind: 'penetration', algorithm: 'gjk', tolerance: TOLERANCE } as const;
  const { kernels, exact, table } = await askBoth(device(), shapes, query);
  let overlapping = 0;
  let undecided = 0;
  for (let i = 0; i < COUNT; i++) {
    if (exact.distance[i]! >= 0) continue;
    overlapping++;
    if (kernels.status[i] === PairStatus.iterationLimit) {
      undecided++;
      continue;
    }
    // Centres are less than one apart.
    const size = 2 * table.boundingRadius(shape) + 1;
    const tooDeep = exact.distance[i]! - kernels.distance[i]!;
    expect(Math.abs(tooDeep)).toBeLessThan((TOLERANCE + 1e-5) * size);
    expect(kernels.lower[i]).toBeLessThanOrEqual(exact.distance[i]!);
    expect(kernels.upper[i]).toBeGreaterThanOrEqual(exact.distance[i]!);
    // The answer's own points are as far apart as it says.
    const apart = [0, 1, 2].map((k) => kernels.pointB[3 * i + k]! - kernels.pointA[3 * i + k]!);
    expect(Math.abs(Math.hypot(...apart) + kernels.distance[i]!)).toBeLessThan(1e-5 * size);
  }
  expect(overlapping).toBeGreaterThan(COUNT / 2);
  expect(undecided).toBeLessThan(0.03 * overlapping);
});
