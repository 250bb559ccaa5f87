// Four support points of A - B that span a tetrahedron; or the dimension of A - B, if it has no volume.

import { type Pair, POINT } from '../pair/pair.ts';
import { setAcross } from '../shapes/directions-across.ts';
import { start } from './expanding-polytope.ts';

const four = new Float64Array(4 * POINT);
const candidate = new Float64Array(POINT);
/** Two directions across the line. */
const p = new Float64Array(3);
const q = new Float64Array(3);

/**
 * Starts the polytope from support points across the extent of A - B. Extents below the touching tolerance are none.
 *
 * @param line gets the unit direction of the line that a difference of dimension 1 lies on
 * @returns the dimension of A - B: 3 if the polytope was started. Below, `normal` is a unit normal of the plane (2) or
 * of the line (1), or any direction (0).
 */
export function startPoints(pair: Pair, line: Float64Array): number {
  const { normal } = pair;
  const touching = pair.touching;
  normal[0] = 1;
  normal[1] = 0;
  normal[2] = 0;
  if (pair.count > 0) for (let k = 0; k < POINT; k++) four[k] = pair.points[k]!;
  else pair.core(1, 0, 0, four, 0);
  // The farthest from the first point: of the rest of the simplex, and of the support points along all axes.
  let most = 0;
  for (let i = 1; i < pair.count; i++) {
    for (let k = 0; k < POINT; k++) candidate[k] = pair.points[POINT * i + k]!;
    most = keepFarther(1, distanceFrom0(), most);
  }
  for (let axis = 0; axis < 6; axis++) {
    const s = axis < 3 ? 1 : -1;
    pair.core(axis % 3 === 0 ? s : 0, axis % 3 === 1 ? s : 0, axis % 3 === 2 ? s : 0, candidate, 0);
    most = keepFarther(1, distanceFrom0(), most);
  }
  if (most <= touching) return 0;
  const ux = (four[POINT]! - four[0]!) / most;
  const uy = (four[POINT + 1]! - four[1]!) / most;
  const uz = (four[POINT + 2]! - four[2]!) / most;
  setAcross(ux, uy, uz, p, q);
  const [px, py, pz] = [p[0]!, p[1]!, p[2]!];
  const [qx, qy, qz] = [q[0]!, q[1]!, q[2]!];
  const offLine = () => {
    const x = candidate[0]! - four[0]!;
    const y = candidate[1]! - four[1]!;
    const z = candidate[2]! - four[2]!;
    return Math.hypot(px * x + py * y + pz * z, qx * x + qy * y + qz * z);
  };
  most = 0;
  for (let i = 0; i < 4; i++) {
    const s = i < 2 ? 1 : -1;
    if (i % 2 === 0) pair.core(s * px, s * py, s * pz, candidate, 0);
    else pair.core(s * qx, s * qy, s * qz, candidate, 0);
    most = keepFarther(2, offLine(), most);
  }
  if (most <= touching) {
    line[0] = ux;
    line[1] = uy;
    line[2] = uz;
    normal[0] = px;
    normal[1] = py;
    normal[2] = pz;
    return 1;
  }
  const vx = four[2 * POINT]! - four[0]!;
  const vy = four[2 * POINT + 1]! - four[1]!;
  const vz = four[2 * POINT + 2]! - four[2]!;
  let nx = uy * vz - uz * vy;
  let ny = uz * vx - ux * vz;
  let nz = ux * vy - uy * vx;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  nx /= length;
  ny /= length;
  nz /= length;
  const offPlane = () =>
    Math.abs(
      nx * (candidate[0]! - four[0]!) + ny * (candidate[1]! - four[1]!) + nz * (candidate[2]! - four[2]!),
    );
  most = 0;
  for (let s = -1; s <= 1; s += 2) {
    pair.core(s * nx, s * ny, s * nz, candidate, 0);
    most = keepFarther(3, offPlane(), most);
  }
  normal[0] = nx;
  normal[1] = ny;
  normal[2] = nz;
  return most > touching && start(four, pair.size) ? 3 : 2;
}

function distanceFrom0(): number {
  return Math.hypot(candidate[0]! - four[0]!, candidate[1]! - four[1]!, candidate[2]! - four[2]!);
}

function keepFarther(slot: number, distance: number, most: number): number {
  if (distance <= most) return most;
  for (let k = 0; k < POINT; k++) four[POINT * slot + k] = candidate[k]!;
  return distance;
}
