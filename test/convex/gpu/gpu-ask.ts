/** Queries of kernels, beside the exact answers. */

import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import type { GpuPairAnswers } from '../../../src/convex/gpu/answers.ts';
import { GpuPairs } from '../../../src/convex/gpu/gpu-pairs.ts';
import type { PairRunOptions } from '../../../src/convex/query/backends.ts';
import type { PairQuery, PairResults } from '../../../src/convex/query/pair-query.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { Shape } from '../../../src/convex/shapes/shapes.ts';
import type { Device } from '../../../src/gpu/device.ts';

/** What kernels answer to a query, with the defaults of `queryPairs`, but a tolerance that float32 resolves. */
export async function askKernels(
  device: Device,
  shapes: readonly Shape[] | ShapeTable,
  query: PairQuery,
  run: PairRunOptions = {},
  options: { largestBinding?: number } = {},
): Promise<GpuPairAnswers> {
  const table = shapes instanceof ShapeTable ? shapes : new ShapeTable(shapes);
  const kernels = await GpuPairs.create(device, table, options);
  const { poses, pairs, kind, algorithm = 'gjk', tolerance = 2 ** -20, sweepRadius = 0, previous } = query;
  const { manifold = 'clipped' } = query;
  const bodies = query.shapes ?? Uint32Array.from({ length: poses.length / 7 }, (_, i) => i);
  const warm = previous && Float64Array.from(previous.normal);
  try {
    return await kernels.query(
      {
        poses,
        pairs,
        shapes: bodies,
        shapeCount: table.count,
        kind,
        algorithm,
        tolerance,
        sweepRadius,
        manifold,
        warm,
      },
      run,
    );
  } finally {
    kernels.destroy();
  }
}

/** Both sides' answers. */
export async function askBoth(
  device: Device,
  shapes: readonly Shape[],
  query: PairQuery,
): Promise<{ kernels: GpuPairAnswers; exact: PairResults; table: ShapeTable }> {
  const table = new ShapeTable(shapes);
  const kernels = await askKernels(device, table, query);
  return { kernels, exact: queryPairs(table, { ...query, tolerance: 2 ** -40 }), table };
}
