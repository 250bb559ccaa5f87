/** Distances of points from planes, with bounds of their rounding. */
import { PLACE_ERROR } from './constants.ts';

/** What `measure` found last. */
export interface Measured {
  /** Signed, a length. */
  distance: number;
  /** By how much rounding may have changed it. */
  error: number;
  /** Of unit length. */
  readonly normal: Float64Array;
}

export function newMeasured(): Measured {
  return { distance: 0, error: 0, normal: new Float64Array(3) };
}

/**
 * Measures the signed distance of a point from the plane of three points, in the order of the normal's turn.
 *
 * @param o where the point's numbers begin; a, b, c: where those of the plane's points do
 * @param reach what rounding of places is relative to
 */
export function measure(
  points: Float64Array,
  o: number,
  plane: Float64Array,
  [a, b, c]: readonly [number, number, number],
  reach: number,
  out: Measured,
): void {
  const ux = plane[b]! - plane[a]!;
  const uy = plane[b + 1]! - plane[a + 1]!;
  const uz = plane[b + 2]! - plane[a + 2]!;
  const vx = plane[c]! - plane[a]!;
  const vy = plane[c + 1]! - plane[a + 1]!;
  const vz = plane[c + 2]! - plane[a + 2]!;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const wx = points[o]! - plane[a]!;
  const wy = points[o + 1]! - plane[a + 1]!;
  const wz = points[o + 2]! - plane[a + 2]!;
  out.distance = (nx * wx + ny * wy + nz * wz) / size;
  // Places that are off by e turn the normal by e (|u| + |v|) / |n|.
  const sides = Math.abs(ux) + Math.abs(uy) + Math.abs(uz) + Math.abs(vx) + Math.abs(vy) + Math.abs(vz);
  const far = Math.abs(wx) + Math.abs(wy) + Math.abs(wz);
  out.error = PLACE_ERROR * reach * (1 + (sides * far) / size);
  out.normal[0] = nx / size;
  out.normal[1] = ny / size;
  out.normal[2] = nz / size;
}
