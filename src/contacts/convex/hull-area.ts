/** The area that contacts of a flat patch stand for. */
import { CONTACT } from '../../convex/manifold/contact-plane.ts';

/**
 * Area of the convex hull of up to four points in one plane, `CONTACT` numbers each; 0 for fewer than three. Each place
 * of the hull of four is in two of their four triangles: of a quadrilateral's, in one of each pair that a diagonal
 * makes; where one point lies among the others, in theirs and in one with it.
 */
export function hullArea(p: Float64Array, count: number): number {
  if (count < 3) return 0;
  let sum = 0;
  const triangles = count === 3 ? 1 : 4;
  for (let t = 0; t < triangles; t++) {
    const a = CONTACT * CORNERS[3 * t]!;
    const b = CONTACT * CORNERS[3 * t + 1]!;
    const c = CONTACT * CORNERS[3 * t + 2]!;
    const ux = p[b]! - p[a]!;
    const uy = p[b + 1]! - p[a + 1]!;
    const uz = p[b + 2]! - p[a + 2]!;
    const vx = p[c]! - p[a]!;
    const vy = p[c + 1]! - p[a + 1]!;
    const vz = p[c + 2]! - p[a + 2]!;
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    sum += Math.sqrt(x * x + y * y + z * z) / 2;
  }
  return count === 3 ? sum : sum / 2;
}

/** The triangles of four points. */
const CORNERS = Uint8Array.of(0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3);
