/**
 * Two parallel planes between which all is that two polyhedra share: docs/contacts.md, "Between two planes". They tell
 * most pairs that do not touch, and of the others cut off most nodes and edges, without a look at tables of cells.
 */
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { supportAlong } from '../surface/support-table.ts';
import { MOST_LOOKS, PLANE_SLACK, PLANE_TILT, SMALLEST_TURN } from './constants.ts';
import type { Placement } from './pair-frames.ts';

/** Half-spaces that a point has to be in to count: a direction each, and the least product with it. */
export type HalfSpaces = Float64Array;
/** Along the best direction, and along four around it. */
const PLANES = 5;
export const HALF_SPACES = 4 * PLANES;

const alongA = new Float64Array(6);
const alongB = new Float64Array(6);

/**
 * Sets the half-spaces, in their own frames, outside which no point of A is in B, and none of B in A.
 *
 * @param m frame of B to that of A
 * @param skin bodies that are no farther apart count as well
 * @returns false if no point is in both bodies
 */
export function betweenPlanes(
  a: PolyhedronArrays,
  b: PolyhedronArrays,
  m: Placement,
  ofA: HalfSpaces,
  ofB: HalfSpaces,
  skin = 0,
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
  // The best direction so far: what both bodies share along it, and how that falls across.
  let least = Infinity;
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
    if (least < -skin || look === MOST_LOOKS) break;
    if (turn * turn * (gx * gx + gy * gy + gz * gz) < SMALLEST_TURN * SMALLEST_TURN) break;
    x = ux - turn * gx;
    y = uy - turn * gy;
    z = uz - turn * gz;
    const size = Math.sqrt(x * x + y * y + z * z);
    x /= size;
    y /= size;
    z /= size;
  }
  const slack = PLANE_SLACK * (reachOf(a) + reachOf(b) + way);
  if (least < -slack - skin) return false;
  // Two directions across u, as long as the tilt: u cross the axis that it is farthest from, and u cross that.
  const [mx, my, mz] = [Math.abs(ux), Math.abs(uy), Math.abs(uz)];
  const isX = mx <= my && mx <= mz;
  const isY = !isX && my <= mz;
  let tx = isX ? 0 : isY ? -uz : uy;
  let ty = isX ? uz : isY ? 0 : -ux;
  let tz = isX ? -uy : isY ? ux : 0;
  const tilt = PLANE_TILT / Math.sqrt(tx * tx + ty * ty + tz * tz);
  tx *= tilt;
  ty *= tilt;
  tz *= tilt;
  for (let i = 0; i < PLANES; i++) {
    const one = i === 1 ? 1 : i === 2 ? -1 : 0;
    const other = i === 3 ? 1 : i === 4 ? -1 : 0;
    x = ux + one * tx + other * (uy * tz - uz * ty);
    y = uy + one * ty + other * (uz * tx - ux * tz);
    z = uz + one * tz + other * (ux * ty - uy * tx);
    const vx = -(m[0]! * x + m[3]! * y + m[6]! * z);
    const vy = -(m[1]! * x + m[4]! * y + m[7]! * z);
    const vz = -(m[2]! * x + m[5]! * y + m[8]! * z);
    setPlane(alongA, x, y, z, 0, 0);
    setPlane(alongB, vx, vy, vz, 0, 0);
    const between = sx * x + sy * y + sz * z - 2 * slack;
    const toB = between - supportAlong(b.surface.support, alongB);
    const toA = between - supportAlong(a.surface.support, alongA);
    setPlane(ofA, x, y, z, toB + (x * ax + y * ay + z * az), 4 * i);
    setPlane(ofB, vx, vy, vz, toA + (vx * bx + vy * by + vz * bz), 4 * i);
  }
  return true;
}

/** A bound of a body's coordinates, by the root of its tree. */
export function reachOf({ surface }: PolyhedronArrays): number {
  const { nodeTree: balls } = surface;
  const at = balls.length - 4;
  const middle = Math.max(Math.abs(balls[at]!), Math.abs(balls[at + 1]!), Math.abs(balls[at + 2]!));
  return middle + balls[at + 3]!;
}

function setPlane(out: Float64Array, x: number, y: number, z: number, least: number, at: number): void {
  out[at] = x;
  out[at + 1] = y;
  out[at + 2] = z;
  out[at + 3] = least;
}

/** How far a point of the one's frame is outside its half-spaces at least; below 0 where it may be in all of them. */
export function distanceOutside(u: HalfSpaces, x: number, y: number, z: number): number {
  let most = u[3]! - (u[0]! * x + u[1]! * y + u[2]! * z);
  for (let i = 4; i < HALF_SPACES; i += 4)
    most = Math.max(most, (u[i + 3]! - (u[i]! * x + u[i + 1]! * y + u[i + 2]! * z)) / PLANE_LENGTH);
  return most;
}

/** Length of the tilted directions, the longest. */
export const PLANE_LENGTH = Math.sqrt(1 + PLANE_TILT * PLANE_TILT) * (1 + 2 ** -40);

/** Whether a point of the one's frame is outside one of its half-spaces. */
export function isOutside(u: HalfSpaces, x: number, y: number, z: number): boolean {
  return (
    u[0]! * x + u[1]! * y + u[2]! * z < u[3]! ||
    u[4]! * x + u[5]! * y + u[6]! * z < u[7]! ||
    u[8]! * x + u[9]! * y + u[10]! * z < u[11]! ||
    u[12]! * x + u[13]! * y + u[14]! * z < u[15]! ||
    u[16]! * x + u[17]! * y + u[18]! * z < u[19]!
  );
}
