/** The area that contacts of a flat patch stand for. */
import { CONTACT } from '../../convex/manifold/contact-plane.ts';

/**
 * Area of the convex hull of up to four points in one plane, `CONTACT` numbers each; 0 for fewer than three. Each place
 * of the hull of four is in two of their four triangles: of a quadrilateral's, in one of each pair that a diagonal
 * makes; where one point lies among the others, in theirs and in one with it.
 */
export function hullArea(points: Float64Array, count: number): number {
  if (count < 3) return 0;
  if (count === 3) return triangleArea(points, 0, 1, 2);
  const sum = triangleArea(points, 0, 1, 2) + triangleArea(points, 0, 1, 3);
  return (sum + triangleArea(points, 0, 2, 3) + triangleArea(points, 1, 2, 3)) / 2;
}

function triangleArea(p: Float64Array, i: number, j: number, k: number): number {
  const [a, b, c] = [CONTACT * i, CONTACT * j, CONTACT * k];
  const [ux, uy, uz] = [p[b]! - p[a]!, p[b + 1]! - p[a + 1]!, p[b + 2]! - p[a + 2]!];
  const [vx, vy, vz] = [p[c]! - p[a]!, p[c + 1]! - p[a + 1]!, p[c + 2]! - p[a + 2]!];
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  return Math.sqrt(x * x + y * y + z * z) / 2;
}
