/**
 * The frame of a body's kernels: axes permuted so that rays run along the first one, and coordinates scaled by a
 * power of two where they are very large or very small. Both are exact: the frame holds the same float32 mesh.
 */

import type { Box, TriangleMesh } from '../mesh/triangle-mesh.ts';
import { UNSCALED_EXPONENT } from './constants.ts';

export interface Frame {
  /** Source axis of each frame axis, cyclic: `[0,1,2]`, `[1,2,0]` or `[2,0,1]` (keeps orientation). */
  readonly axes: readonly [number, number, number];
  /** Exact power of two that frame coordinates are multiplied by. */
  readonly scale: number;
}

const CYCLES: readonly (readonly [number, number, number])[] = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
];

/** Scale that brings the largest absolute coordinate near 1 where it is far from it, and 1 elsewhere. */
export function frameScale(box: Box): number {
  let largest = 0;
  for (const x of [...box.min, ...box.max]) largest = Math.max(largest, Math.abs(x));
  if (largest === 0) return 1;
  const exponent = Math.floor(Math.log2(largest));
  return Math.abs(exponent) <= UNSCALED_EXPONENT ? 1 : 2 ** -exponent;
}

function extentOf(a: number, b: number, c: number): number {
  return Math.max(a, b, c) - Math.min(a, b, c);
}

/** Axes of which the first is that of the shortest edge of a box: known without a look at the triangles. */
export function flattestAxes({ min, max }: Box): Frame['axes'] {
  const extents = min.map((least, k) => max[k]! - least);
  return CYCLES[extents.indexOf(Math.min(...extents))]!;
}

/**
 * The axis along which a ray passes the fewest triangles: least sum of the triangles' projected boxes, relative to
 * the body's own projected box.
 */
export function chooseFrame(mesh: TriangleMesh): Frame {
  const { positions, indices, box } = mesh;
  let [overX, overY, overZ] = [0, 0, 0];
  for (let t = 0; t < indices.length; t += 3) {
    const i = 3 * indices[t]!;
    const j = 3 * indices[t + 1]!;
    const k = 3 * indices[t + 2]!;
    const x = extentOf(positions[i]!, positions[j]!, positions[k]!);
    const y = extentOf(positions[i + 1]!, positions[j + 1]!, positions[k + 1]!);
    const z = extentOf(positions[i + 2]!, positions[j + 2]!, positions[k + 2]!);
    overX += y * z;
    overY += z * x;
    overZ += x * y;
  }
  const covered = [overX, overY, overZ];
  let best = 0;
  let least = Infinity;
  for (let c = 0; c < 3; c++) {
    const u = (c + 1) % 3;
    const v = (c + 2) % 3;
    const area = (box.max[u]! - box.min[u]!) * (box.max[v]! - box.min[v]!);
    const passed = area > 0 ? covered[c]! / area : Infinity;
    if (passed < least) {
      least = passed;
      best = c;
    }
  }
  return { axes: CYCLES[best]!, scale: frameScale(box) };
}
