/** An order in which points beside each other, which meet the same clusters, come one after the other. */
import { mortonCode, sortOrder } from '../morton.ts';
import { localAxes } from '../potential/solid-angle.ts';
import type { LocalFrame } from '../surface.ts';
import type { ClusterTable } from './cluster-tree.ts';

/** Numbers of points, less `first`, along a Morton curve through the ball around all clusters. */
export function alongCurve(
  frame: LocalFrame,
  { places }: Pick<ClusterTable, 'places'>,
  points: Float32Array,
  first = 0,
  end = points.length / 3,
): Uint32Array {
  const axes = localAxes({ frame });
  const radius = Math.sqrt(places[3] ?? 0);
  const codes = new Uint32Array(end - first);
  const cellOf = (i: number, k: number) => {
    const place = (axes[k]!(points[3 * i + k]!) - places[k]!) / radius;
    return Math.min(Math.max(512 + 512 * place, 0), 1023);
  };
  for (let i = first; i < end; i++) codes[i - first] = mortonCode(cellOf(i, 0), cellOf(i, 1), cellOf(i, 2));
  return sortOrder(codes);
}
