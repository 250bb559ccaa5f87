import { expect, it } from 'vitest';
import { SUPPORT_ERROR_32 } from '../../../src/convex/constants.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import type { PairAlgorithm } from '../../../src/convex/query/pair-kinds.ts';
import { useDevice } from '../../support/device.ts';
import { manyPairs, manyShapes } from '../scenes.ts';
import { askBoth, askKernels } from './gpu-ask.ts';

const device = useDevice();

it.each<PairAlgorithm>(['auto', 'gjk', 'gjk-johnson', 'mpr'])(
  'by %s: of separated pairs `lower` is never above the exact distance, `distance` by rounding alone',
  async (algorithm) => {
    const scene = manyPairs(6000, 30);
    const { exact, table } = await askBoth(device(), manyShapes, { ...scene, kind: 'distance' });
    const found = await askKernels(device(), manyShapes, { ...scene, kind: 'penetration', algorithm });
    const wrong: unknown[] = [];
    let separated = 0;
    for (let i = 0; i < found.status.length; i++) {
      if (found.status[i] !== PairStatus.separated) continue;
      separated++;
      const [a, b] = [scene.pairs[2 * i]!, scene.pairs[2 * i + 1]!];
      const apart = [0, 1, 2].map((k) => scene.poses[7 * a + k]! - scene.poses[7 * b + k]!);
      const radii = table.boundingRadius(scene.shapes[a]!) + table.boundingRadius(scene.shapes[b]!);
      const size = radii + Math.hypot(...apart);
      const excess = (found.distance[i]! - exact.upper[i]!) / size;
      if (!(found.lower[i]! > 0 && found.lower[i]! <= exact.upper[i]!)) wrong.push([i, found.lower[i]]);
      if (!(excess <= SUPPORT_ERROR_32)) wrong.push([i, excess]);
    }
    expect(separated).toBeGreaterThan(1000);
    expect(wrong.slice(0, 5), `${wrong.length} of ${separated}`).toEqual([]);
  },
);
