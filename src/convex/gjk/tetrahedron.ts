// Where the origin lies to a tetrahedron of support points, decided exactly. Twin: shaders/convex/gjk/tetrahedron.wgsl,
// which decides by a margin.
import { orient3d } from 'robust-predicates';
import { ORIENT3D_ERROR } from '../../constants.ts';
import { POINT } from '../pair/pair.ts';
import { volumeOf } from '../pair/volume.ts';

/** Sign of the volume of the origin over triangle i, j, k: that of p_i . (p_j x p_k), exact. */
export function originSide(points: Float64Array, i: number, j: number, k: number): number {
  const a = POINT * i;
  const b = POINT * j;
  const c = POINT * k;
  const ax = points[a]!;
  const ay = points[a + 1]!;
  const az = points[a + 2]!;
  const bx = points[b]!;
  const by = points[b + 1]!;
  const bz = points[b + 2]!;
  const cx = points[c]!;
  const cy = points[c + 1]!;
  const cz = points[c + 2]!;
  const p = by * cz;
  const q = bz * cy;
  const r = bz * cx;
  const s = bx * cz;
  const t = bx * cy;
  const u = by * cx;
  const det = ax * (p - q) + ay * (r - s) + az * (t - u);
  const sum =
    Math.abs(ax) * (Math.abs(p) + Math.abs(q)) +
    Math.abs(ay) * (Math.abs(r) + Math.abs(s)) +
    Math.abs(az) * (Math.abs(t) + Math.abs(u));
  if (Math.abs(det) > ORIENT3D_ERROR * sum) return det;
  return orient3d(ax, ay, az, bx, by, bz, cx, cy, cz, 0, 0, 0);
}

/** True if the tetrahedron of slots 0 .. 3 has volume and contains the origin; exact. */
export function holdsOrigin(points: Float64Array): boolean {
  const volume = volumeOf(points, 0, POINT, 2 * POINT, 3 * POINT);
  return (
    volume !== 0 &&
    originSide(points, 0, 1, 2) * volume >= 0 &&
    originSide(points, 0, 3, 1) * volume >= 0 &&
    originSide(points, 0, 2, 3) * volume >= 0 &&
    originSide(points, 1, 3, 2) * volume >= 0
  );
}
