/** Many pairs of one shape, the same in every run. */
import type { Shape } from '../../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../../src/mesh/random.ts';

function unitVector(random: () => number, size: number): number[] {
  // Even on the sphere: from the cube, what lies in the ball.
  for (;;) {
    const v = Array.from({ length: size }, () => 2 * random() - 1);
    const length = Math.hypot(...v);
    if (length < 1 && length > 0.1) return v.map((x) => x / length);
  }
}

const fifty = createRandom(50);

/** Shapes that matter most; the hull has 50 vertices on a sphere. */
export const randomShapes: Readonly<Record<string, Shape>> = {
  box: { kind: 'box', halfExtents: [0.5, 0.5, 0.5] },
  'round box': { kind: 'round-box', halfExtents: [0.4, 0.4, 0.4], radius: 0.1 },
  hull: { kind: 'polytope', vertices: Array.from({ length: 50 }, () => unitVector(fifty, 3)).flat() },
  cone: { kind: 'cone', radius: 1, height: 2 },
  ellipsoid: { kind: 'ellipsoid', radii: [0.5, 1, 0.75] },
  cylinder: { kind: 'cylinder', radius: 0.5, halfHeight: 0.7 },
  capsule: { kind: 'capsule', halfLength: 0.7, radius: 0.3 },
};

/** Pairs of bodies of shape 0, in any orientation; B's centre in a cube about A's of `2 reach` edge length. */
export function randomPairs(count: number, reach: number, seed = 1) {
  const random = createRandom(seed);
  const poses = new Float32Array(14 * count);
  for (let i = 0; i < 2 * count; i++) {
    if (i % 2 === 1) for (let k = 0; k < 3; k++) poses[7 * i + k] = reach * (2 * random() - 1);
    poses.set(unitVector(random, 4), 7 * i + 3);
  }
  const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => i);
  return { poses, pairs, shapes: new Uint32Array(2 * count) };
}
