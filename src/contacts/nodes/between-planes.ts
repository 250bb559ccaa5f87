/**
 * Two parallel planes between which all is that two polyhedra share: docs/contacts.md, "Between two planes". They tell
 * most pairs that do not touch, and of the others cut off most nodes and edges, without a look at tables of cells.
 */
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { supportAlong } from '../surface/support-table.ts';
import { MOST_LOOKS, PLANE_SLACK, SMALLEST_TURN } from './constants.ts';
import type { Placement } from './pair-frames.ts';

/** A unit direction, and the least product with it of a point that counts. */
export type HalfSpace = Float64Array;
export const HALF_SPACE = 4;

const alongA = new Float64Array(6);
const alongB = new Float64Array(6);

/**
 * Sets the half-spaces, in their own frames, outside which no point of A is in B, and none of B in A.
 *
 * @param m frame of B to that of A
 * @returns false if no point is in both bodies
 */
export function betweenPlanes(
  a: PolyhedronArrays,
  b: PolyhedronArrays,
  m: Placement,
  ofA: HalfSpace,
  ofB: HalfSpace,
): boolean {
  const [ax, ay, az] = a.surface.middle;
  const [bx, by, bz] = b.surface.middle;
  // From middle to middle, in A's frame: so are all directions.
  const sx = m[0]! * bx + m[1]! * by + m[2]! * bz + m[9]! - ax;
  const sy = m[3]! * bx + m[4]! * by + m[5]! * bz + m[10]! - ay;
  const sz = m[6]! * bx + m[7]! * by + m[8]! * bz + m[11]! - az;
  const way = Math.sqrt(sx * sx + sy * sy + sz * sz);
  let x = way > 0 ? sx / way : 1;
  let y = way > 0 ? sy / way : 0;
  let z = way > 0 ? sz / way : 0;
  // The best direction so far: what both bodies share along it, how far each reaches, and how that falls across.
  let least = Infinity;
  let reachA = Infinity;
  let reachB = Infinity;
  let ux = x;
  let uy = y;
  let uz = z;
  let gx = 0;
  let gy = 0;
  let gz = 0;
  let step = 1;
  for (let look = 1; ; look++) {
    alongA[0] = x;
    alongA[1] = y;
    alongA[2] = z;
    alongB[0] = -(m[0]! * x + m[3]! * y + m[6]! * z);
    alongB[1] = -(m[1]! * x + m[4]! * y + m[7]! * z);
    alongB[2] = -(m[2]! * x + m[5]! * y + m[8]! * z);
    const hA = supportAlong(a.surface.support, alongA);
    const hB = supportAlong(b.surface.support, alongB);
    const shared = hA + hB - (sx * x + sy * y + sz * z);
    if (shared < least) {
      least = shared;
      reachA = hA;
      reachB = hB;
      ux = x;
      uy = y;
      uz = z;
      gx = alongA[3]! - (m[0]! * alongB[3]! + m[1]! * alongB[4]! + m[2]! * alongB[5]!) - sx;
      gy = alongA[4]! - (m[3]! * alongB[3]! + m[4]! * alongB[4]! + m[5]! * alongB[5]!) - sy;
      gz = alongA[5]! - (m[6]! * alongB[3]! + m[7]! * alongB[4]! + m[8]! * alongB[5]!) - sz;
      const along = gx * x + gy * y + gz * z;
      gx -= along * x;
      gy -= along * y;
      gz -= along * z;
    } else step /= 2;
    // Of two balls, the first turn leads to the direction in which they share least.
    const turn = step / (way + least);
    if (least < 0 || look === MOST_LOOKS) break;
    if (turn * turn * (gx * gx + gy * gy + gz * gz) < SMALLEST_TURN * SMALLEST_TURN) break;
    x = ux - turn * gx;
    y = uy - turn * gy;
    z = uz - turn * gz;
    const size = Math.sqrt(x * x + y * y + z * z);
    x /= size;
    y /= size;
    z /= size;
  }
  const places = Math.abs(ax) + Math.abs(ay) + Math.abs(az) + Math.abs(bx) + Math.abs(by) + Math.abs(bz);
  const slack = PLANE_SLACK * (Math.abs(reachA) + Math.abs(reachB) + way + places);
  if (least < -slack) return false;
  const across = sx * ux + sy * uy + sz * uz;
  ofA[0] = ux;
  ofA[1] = uy;
  ofA[2] = uz;
  ofA[3] = across - reachB + (ux * ax + uy * ay + uz * az) - slack;
  const vx = -(m[0]! * ux + m[3]! * uy + m[6]! * uz);
  const vy = -(m[1]! * ux + m[4]! * uy + m[7]! * uz);
  const vz = -(m[2]! * ux + m[5]! * uy + m[8]! * uz);
  ofB[0] = vx;
  ofB[1] = vy;
  ofB[2] = vz;
  ofB[3] = across - reachA + (vx * bx + vy * by + vz * bz) - slack;
  return true;
}
