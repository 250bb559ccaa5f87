import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConvexBatch } from '../../../src/convex/batch/convex-batch.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { intersects } from '../../../src/convex/query/intersects.ts';
import {
  PAIR_ALGORITHMS,
  PAIR_KINDS,
  type PairAlgorithm,
  type PairKind,
  refinesPortals,
} from '../../../src/convex/query/pair-kinds.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import { useDevice } from '../../support/device.ts';
import { manyPairs, manyShapes } from '../scenes.ts';

const device = useDevice();
const table = new ShapeTable(manyShapes);
const scene = manyPairs(1500, 9);
let batch: ConvexBatch;
beforeAll(async () => {
  batch = await ConvexBatch.create(device(), manyShapes);
});
afterAll(() => batch.destroy());

/** Both bounding radii and the distance of the bodies: more than the pair's size by what centres are off. */
function sizeOf(pair: number): number {
  const [a, b] = [scene.pairs[2 * pair]!, scene.pairs[2 * pair + 1]!];
  const apart = [0, 1, 2].map((k) => scene.poses[7 * a + k]! - scene.poses[7 * b + k]!);
  return (
    table.boundingRadius(scene.shapes[a]!) + table.boundingRadius(scene.shapes[b]!) + Math.hypot(...apart)
  );
}

const queries = PAIR_KINDS.flatMap((kind) =>
  PAIR_ALGORITHMS.map((algorithm): readonly [PairKind, PairAlgorithm] => [kind, algorithm]),
);

describe('ConvexBatch on the GPU', () => {
  it.each(queries)('%s by %s: as on the CPU, and no pair is left open', async (kind, algorithm) => {
    const query = { ...scene, kind, algorithm, sweepRadius: 0.1 };
    const [kernels, host] = [
      await batch.query({ ...query, backend: 'gpu' }),
      await batch.query({ ...query, backend: 'cpu' }),
    ];
    expect(kernels).toMatchObject({ backend: 'gpu', kind, algorithm, adapter: device().adapter });
    expect(kernels.seconds.kernel).toBeGreaterThan(0);
    const wrong: unknown[] = [];
    for (let i = 0; i < scene.pairs.length / 2; i++) {
      const [mine, theirs] = [kernels.status[i]!, host.status[i]!];
      // What touches on the host is decided there, as it is nearer than float32 can tell.
      const same =
        intersects(kernels, i) === intersects(host, i) &&
        (mine === PairStatus.separated) === (theirs === PairStatus.separated);
      if (!same || mine === PairStatus.iterationLimit) wrong.push({ i, mine, theirs });
      if (kind === 'intersect' || mine === PairStatus.separated || refinesPortals(algorithm)) continue;
      const difference = Math.abs(kernels.distance[i]! - host.distance[i]!);
      // 1e-5 of the size, and what the bounds of either leave open.
      const open =
        kernels.upper[i]! - kernels.lower[i]! < Infinity ? kernels.upper[i]! - kernels.lower[i]! : 0;
      if (!(difference <= 1e-5 * sizeOf(i) + (mine === PairStatus.degenerate ? open : 0))) {
        wrong.push({ i, mine, difference, of: sizeOf(i) });
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  it('starts from what an earlier query found', async () => {
    const query = { ...scene, kind: 'signed-distance', backend: 'gpu' } as const;
    const first = await batch.query(query);
    const again = await batch.query({ ...query, previous: first });
    const sum = (of: Uint32Array) => of.reduce((total, calls) => total + calls, 0);
    expect(sum(again.iterations)).toBeLessThan(sum(first.iterations));
    // Which has no normals to start from.
    const sides = await batch.query({ ...query, kind: 'intersect' });
    const cold = await batch.query({ ...query, previous: sides });
    expect(cold.iterations).toEqual(first.iterations);
    expect(cold.distance).toEqual(first.distance);
  });
});
