/**
 * What `converged` promises of the GPU's answers (docs/convex.md, "In float32"): all kinds of shapes against float64.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { FLOAT32_SPACING } from '../../../src/constants.ts';
import { ConvexBatch } from '../../../src/convex/batch/convex-batch.ts';
import { BATCH_TOLERANCE } from '../../../src/convex/constants.ts';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import { Pair } from '../../../src/convex/pair/pair.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import type { PairResults } from '../../../src/convex/query/pair-query.ts';
import { placements } from '../../../src/convex/shapes/pose.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { useDevice } from '../../support/device.ts';
import { arbitraryShape, kinds, sizeOf, unitQuaternion } from '../shapes-of-all-kinds.ts';
import { randomShapes } from './random-pairs.ts';

const device = useDevice();
/**
 * What float32 may make of a distance beyond the tolerance, proven, in units of the pair's size. Both bounds are moved
 * by as much, and each is then rounded to a float32.
 */
const ROUNDING = 2 ** -16;
/** The same as it is: half of the least tolerance. */
const USUAL_ROUNDING = 2 ** -21;

const COUNT = 3000;
const random = createRandom(41);
const shapes = [
  ...kinds.flatMap((kind) => fc.sample(arbitraryShape(kind), { numRuns: 6, seed: 12 })),
  ...Object.values(randomShapes),
].filter((shape) => shape.kind !== 'parts' && sizeOf(shape) > 0.2);
/** Half of them are what EPA follows longest: rims and curved sides. */
const curved = shapes.flatMap(({ kind }, i) => (['cone', 'cylinder', 'ellipsoid'].includes(kind) ? [i] : []));
const turns = fc.sample(unitQuaternion, { numRuns: 500, seed: 12 });
const table = new ShapeTable(shapes);
const bodies = Uint32Array.from({ length: 2 * COUNT }, (_, i) =>
  i % 4 < 2 ? curved[Math.floor(random() * curved.length)]! : Math.floor(random() * shapes.length),
);
const poses = new Float32Array(14 * COUNT);
for (let i = 0; i < 2 * COUNT; i++) {
  const reach =
    i % 2 === 0 ? 0 : 0.5 * (table.boundingRadius(bodies[i - 1]!) + table.boundingRadius(bodies[i]!));
  for (let k = 0; k < 3; k++) poses[7 * i + k] = reach * (2 * random() - 1);
  poses.set(turns[Math.floor(random() * turns.length)]!, 7 * i + 3);
}
const query = { poses, shapes: bodies, pairs: Uint32Array.from({ length: 2 * COUNT }, (_, i) => i) };

const placed = placements(poses);
const pair = new Pair(table);
const sizes = Float64Array.from({ length: COUNT }, (_, i) => {
  pair.place(
    { record: bodies[2 * i]!, frames: placed, at: 24 * i },
    { record: bodies[2 * i + 1]!, frames: placed, at: 24 * i + 12 },
  );
  return pair.size;
});

describe('converged, of 3,000 pairs of all kinds by kernels', () => {
  let exact: PairResults;
  beforeAll(() => {
    exact = queryPairs(table, { ...query, kind: 'signed-distance', algorithm: 'gjk', tolerance: 2 ** -40 });
  });

  it.each([
    ['auto', undefined, 0.1],
    ['gjk', 2 ** -20, 0.1],
    ['gjk', 2 ** -12, 0.1],
  ] as const)(
    '%s at %s: within the tolerance and rounding, few left to float64',
    async (algorithm, tolerance, most) => {
      const batch = await ConvexBatch.create(device(), shapes);
      const results = await batch.query({
        ...{ ...query, kind: 'signed-distance', algorithm, backend: 'gpu' },
        ...(tolerance !== undefined && { tolerance }),
      });
      batch.destroy();
      const allowed = tolerance ?? BATCH_TOLERANCE;
      let deep = 0;
      let converged = 0;
      const wrong: unknown[] = [];
      for (let i = 0; i < COUNT; i++) {
        if (results.status[i] !== PairStatus.converged) continue;
        converged++;
        if (exact.distance[i]! < 0) deep++;
        const off = Math.abs(results.distance[i]! - exact.distance[i]!) / sizes[i]!;
        const width = (results.upper[i]! - results.lower[i]!) / sizes[i]!;
        const holds = results.lower[i]! <= exact.upper[i]! && exact.lower[i]! <= results.upper[i]!;
        if (
          !(off <= allowed + USUAL_ROUNDING && width <= allowed + 2 * (ROUNDING + FLOAT32_SPACING) && holds)
        ) {
          wrong.push({
            i,
            kinds: [0, 1].map((k) => shapes[bodies[2 * i + k]!]!.kind),
            off: off / allowed,
            width,
          });
        }
      }
      expect(wrong.slice(0, 5)).toEqual([]);
      expect(deep).toBeGreaterThan(COUNT / 3);
      expect(converged).toBeGreaterThan(0.97 * COUNT);
      expect(results.redone).toBeLessThan(most * COUNT);
    },
  );
});
