/** Answers of MPR's kernels. */

import type { GpuPairAnswers } from '../../../src/convex/gpu/answers.ts';
import type { PairKind } from '../../../src/convex/query/pair-kinds.ts';
import type { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { Device } from '../../../src/gpu/device.ts';
import { askKernels } from './gpu-ask.ts';

export interface PairsOfBodies {
  readonly table: ShapeTable;
  /** `[n * 7]`. */
  readonly poses: Float32Array | Float64Array;
  /** Shape of each body. */
  readonly shapes: Uint32Array;
  readonly pairs: Uint32Array;
}

export function kernelAnswers(
  device: Device,
  { table, ...query }: PairsOfBodies,
  kind: PairKind,
): Promise<GpuPairAnswers> {
  return askKernels(device, table, { ...query, kind, algorithm: 'mpr' });
}
