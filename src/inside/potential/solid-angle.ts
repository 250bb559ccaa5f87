/**
 * Solid angles of triangles after A. van Oosterom and J. Strackee, "The Solid Angle of a Plane Triangle", IEEE
 * Transactions on Biomedical Engineering 30 (1983), and their sum over a mesh: the direct double-layer potential,
 * eqs. 6 and 18 of Muth et al. See docs/multipole.md, "Direct sum".
 */

import type { Surface } from '../surface.ts';
import {
  SMALL_ANGLE_PRODUCT,
  SOLID_ANGLE_DOUBT,
  SOLID_ANGLE_ROUNDING,
  TRIANGLES_PER_RESCALING,
} from './constants.ts';

/** Of a sum of angles: `[J, bound of its rounding]`, both in full spheres. */
export type AngleSum = Float64Array;

/**
 * Adds to `sum` the solid angles of ranges of triangles seen from (x, y, z), over 4 pi, and the bound of their
 * rounding. Half an angle is the argument of den + i num; arguments are added by multiplying these numbers, with a
 * count of whole turns, so one arc tangent serves them all.
 *
 * @param triangles `[ax, ay, az, bx, by, bz, cx, cy, cz]` per triangle
 * @param ranges `[first, last]` per range: triangles first .. last - 1
 * @param firstRange ranges firstRange .. lastRange - 1 are added
 */
export function addSolidAngles(
  triangles: Float64Array,
  ranges: Uint32Array,
  firstRange: number,
  lastRange: number,
  x: number,
  y: number,
  z: number,
  sum: AngleSum,
): void {
  let re = 1;
  let im = 0;
  let turns = 0;
  let steepness = 0;
  let doubts = 0;
  for (let r = firstRange; r < lastRange; r++) {
    const last = 9 * ranges[2 * r + 1]!;
    let pause = 0;
    for (let t = 9 * ranges[2 * r]!; t < last; t += 9) {
      if (t >= pause) {
        // Each factor makes the product up to a square root of 2 smaller: it must not vanish among many layers.
        if (Math.abs(re) + Math.abs(im) < SMALL_ANGLE_PRODUCT) {
          re /= SMALL_ANGLE_PRODUCT;
          im /= SMALL_ANGLE_PRODUCT;
        }
        pause = t + 9 * TRIANGLES_PER_RESCALING;
      }
      const ax = triangles[t]! - x;
      const ay = triangles[t + 1]! - y;
      const az = triangles[t + 2]! - z;
      const bx = triangles[t + 3]! - x;
      const by = triangles[t + 4]! - y;
      const bz = triangles[t + 5]! - z;
      const cx = triangles[t + 6]! - x;
      const cy = triangles[t + 7]! - y;
      const cz = triangles[t + 8]! - z;
      const a = Math.sqrt(ax * ax + ay * ay + az * az);
      const b = Math.sqrt(bx * bx + by * by + bz * bz);
      const c = Math.sqrt(cx * cx + cy * cy + cz * cz);
      const product = a * b * c;
      const num = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
      const den =
        product +
        (ax * bx + ay * by + az * bz) * c +
        (bx * cx + by * cy + bz * cz) * a +
        (cx * ax + cy * ay + cz * az) * b;
      const height = Math.abs(num);
      // On the triangle, or so close to it that rounding may have put the point on its other side.
      const limit = SOLID_ANGLE_DOUBT * product;
      if (height <= limit && den <= limit) {
        doubts++;
        if (num === 0) continue;
      }
      const scale = 1 / (height + Math.abs(den));
      steepness += product * scale;
      if (num === 0) continue;
      const turned = (re * num + im * den) * scale;
      re = (re * den - im * num) * scale;
      if (im >= 0) {
        if (num > 0 && turned < 0) turns++;
      } else if (num < 0 && turned >= 0) turns--;
      im = turned;
    }
  }
  // -0 has been on this side of the cut, like 0; to the arc tangent it is on the other.
  sum[0]! += Math.atan2(im + 0, re) / (2 * Math.PI) + turns;
  sum[1]! += SOLID_ANGLE_ROUNDING * steepness + doubts;
}

/** Corners of triangles one after the other, nine numbers each, in the order given or the mesh's own. */
export function gatherTriangles(surface: Surface, order?: Uint32Array): Float64Array {
  const { positions, indices, triangleCount } = surface;
  const triangles = new Float64Array(9 * triangleCount);
  for (let t = 0; t < triangleCount; t++) {
    const source = 3 * (order === undefined ? t : order[t]!);
    for (let corner = 0; corner < 3; corner++) {
      const v = 3 * indices[source + corner]!;
      triangles[9 * t + 3 * corner] = positions[v]!;
      triangles[9 * t + 3 * corner + 1] = positions[v + 1]!;
      triangles[9 * t + 3 * corner + 2] = positions[v + 2]!;
    }
  }
  return triangles;
}

/** Area of all triangles, nine coordinates each. */
export function areaOf(triangles: Float64Array): number {
  const t = triangles;
  let area = 0;
  for (let a = 0; a < t.length; a += 9) {
    const [ux, uy, uz] = [t[a + 3]! - t[a]!, t[a + 4]! - t[a + 1]!, t[a + 5]! - t[a + 2]!];
    const [vx, vy, vz] = [t[a + 6]! - t[a]!, t[a + 7]! - t[a + 1]!, t[a + 8]! - t[a + 2]!];
    area += Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
  }
  return area;
}

/** J of points and how far it may be from that of the float32 mesh. */
export interface PotentialValues {
  /** J per point: for a closed outward-oriented surface 1 inside, 0 outside, its angle on it (1/2 in a face). */
  readonly values: Float64Array;
  /** Bound of |error of J| per point; 1 or more where the point is on a triangle, or as good as on it. */
  readonly bounds: Float64Array;
}

/**
 * Per axis the way of a float32 coordinate into a surface's local frame, in float64: exact, as the surface's corners
 * are, for every point that is not so far off that it does not matter.
 */
export function localAxes({ frame: { scale, shift } }: Pick<Surface, 'frame'>) {
  const along = (axis: number) => (x: number) => x * scale - shift[axis]!;
  return [along(0), along(1), along(2)] as const;
}

/**
 * The direct sum of solid angles over 4 pi: J of eq. 6, O(N M). J is the generalised winding number, also of open
 * meshes.
 *
 * @param points `[x, y, z]` per point, as they are in the mesh's file
 */
export function directPotential(surface: Surface, points: Float32Array): PotentialValues {
  const triangles = gatherTriangles(surface);
  const count = points.length / 3;
  const values = new Float64Array(count);
  const bounds = new Float64Array(count);
  const sum = new Float64Array(2);
  const all = Uint32Array.of(0, surface.triangleCount);
  const [localX, localY, localZ] = localAxes(surface);
  for (let i = 0; i < count; i++) {
    sum.fill(0);
    const x = localX(points[3 * i]!);
    const y = localY(points[3 * i + 1]!);
    const z = localZ(points[3 * i + 2]!);
    addSolidAngles(triangles, all, 0, 1, x, y, z, sum);
    values[i] = sum[0]!;
    bounds[i] = sum[1]!;
  }
  return { values, bounds };
}
