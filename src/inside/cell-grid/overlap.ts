/**
 * Which cells of a uniform grid a triangle overlaps: a conservative separating-axis test (box axes, the triangle's
 * normal, and the nine cross products of edges and axes) against cells grown by a margin.
 */

import { type StopWord, throwIfStopped } from '../../workers/stop.ts';
import { CELL_ROW_Y, CELL_ROW_Z, NORMAL_ROUNDING } from './constants.ts';
import type { NumberList, PairList } from './pairs.ts';
import { cellMargin, type GridShape, type SurfaceArrays } from './tables.ts';

// Whole numbers have minima and maxima without branches, which random triangles make hard to foresee.

/** Cells of a triangle's box from which on it is worth a look which cells of a row its plane passes. */
const LARGE_BOX = 512;
/**
 * Far above float64's rounding of the place where a plane passes a row of 4095 cells, relative to the plane's reach
 * there.
 */
const ROW_ROUNDING = 2 ** -30;

function floor(x: number): number {
  return Math.floor(x) | 0;
}

function least(a: number, b: number, c: number): number {
  const ab = a + ((b - a) & ((b - a) >> 31));
  return ab + ((c - ab) & ((c - ab) >> 31));
}

function most(a: number, b: number, c: number): number {
  const ab = a - ((a - b) & ((a - b) >> 31));
  return ab - ((ab - c) & ((ab - c) >> 31));
}

/**
 * Appends the pairs of triangles `first .. end` of a mesh to `pairs`.
 *
 * @param nearLines takes the triangles whose box a row's line may pass
 */
export function findOverlaps(
  mesh: SurfaceArrays,
  grid: GridShape,
  first: number,
  end: number,
  pairs: PairList,
  nearLines?: NumberList,
  stop?: StopWord,
): void {
  const { positions, indices } = mesh;
  const [ox, oy, oz] = grid.origin;
  const [nx, ny, nz] = grid.counts;
  const inverse = 1 / grid.cell;
  const margin = cellMargin(grid);
  // Where in a cell its row's line lies, moved by the margin to either side.
  const lowLineY = CELL_ROW_Y - margin;
  const highLineY = CELL_ROW_Y + margin;
  const lowLineZ = CELL_ROW_Z - margin;
  const highLineZ = CELL_ROW_Z + margin;
  const { perBand, bandShift } = pairs;
  for (let t = first; t < end; t++) {
    if ((t & 1023) === 0) throwIfStopped(stop);
    const a = 3 * indices[3 * t]!;
    const b = 3 * indices[3 * t + 1]!;
    const c = 3 * indices[3 * t + 2]!;
    // In units of cells.
    const ax = (positions[a]! - ox) * inverse;
    const ay = (positions[a + 1]! - oy) * inverse;
    const az = (positions[a + 2]! - oz) * inverse;
    const bx = (positions[b]! - ox) * inverse;
    const by = (positions[b + 1]! - oy) * inverse;
    const bz = (positions[b + 2]! - oz) * inverse;
    const cx = (positions[c]! - ox) * inverse;
    const cy = (positions[c + 1]! - oy) * inverse;
    const cz = (positions[c + 2]! - oz) * inverse;
    const i0 = Math.max(0, least(floor(ax - margin), floor(bx - margin), floor(cx - margin)));
    const j0 = Math.max(0, least(floor(ay - margin), floor(by - margin), floor(cy - margin)));
    const k0 = Math.max(0, least(floor(az - margin), floor(bz - margin), floor(cz - margin)));
    const i1 = Math.min(nx - 1, most(floor(ax + margin), floor(bx + margin), floor(cx + margin)));
    const j1 = Math.min(ny - 1, most(floor(ay + margin), floor(by + margin), floor(cy + margin)));
    const k1 = Math.min(nz - 1, most(floor(az + margin), floor(bz + margin), floor(cz + margin)));
    // Does a line, grown by the margin, since float32 moves it by less, lie between corners along y, and along z? If no
    // count of lines below a corner differs from the next one's, with the line on the other side of its margin, all are
    // the same.
    if (
      nearLines !== undefined &&
      ((floor(ay - lowLineY) ^ floor(by - highLineY)) |
        (floor(by - lowLineY) ^ floor(cy - highLineY)) |
        (floor(cy - lowLineY) ^ floor(ay - highLineY))) !==
        0 &&
      ((floor(az - lowLineZ) ^ floor(bz - highLineZ)) |
        (floor(bz - lowLineZ) ^ floor(cz - highLineZ)) |
        (floor(cz - lowLineZ) ^ floor(az - highLineZ))) !==
        0
    ) {
      nearLines.push(t);
    }
    const box = (i1 - i0 + 1) * (j1 - j0 + 1) * (k1 - k0 + 1);
    // Most boxes are a few cells. Of a large one, a triangle overlaps a small part: room is made row by row.
    const isLarge = box > LARGE_BOX;
    const isLine = (i0 === i1 ? 0 : 1) + (j0 === j1 ? 0 : 1) + (k0 === k1 ? 0 : 1) <= 1;
    if (isLine || !isLarge) pairs.reserve(box);
    let { cells, triangles } = pairs;
    let n = pairs.count;
    // More than one cell along one axis only: the triangle, being connected, meets each of them.
    if (isLine) {
      for (let k = k0; k <= k1; k++) {
        for (let j = j0; j <= j1; j++) {
          for (let i = i0; i <= i1; i++) {
            cells[n] = (k * ny + j) * nx + i;
            triangles[n++] = t;
          }
          perBand[(k * ny + j) >>> bandShift]! += i1 - i0 + 1;
        }
      }
      pairs.count = n;
      continue;
    }

    const ux = bx - ax;
    const uy = by - ay;
    const uz = bz - az;
    const vx = cx - bx;
    const vy = cy - by;
    const vz = cz - bz;
    const wx = ax - cx;
    const wy = ay - cy;
    const wz = az - cz;
    const px = uy * vz - uz * vy;
    const py = uz * vx - ux * vz;
    const pz = ux * vy - uy * vx;
    const half = 0.5 + margin;
    // The normal: the cell's middle is at most this far from the plane.
    // The last term covers the rounding of the normal itself, which is all there is of it where the area is 0.
    const planeReach =
      half * (Math.abs(px) + Math.abs(py) + Math.abs(pz)) +
      NORMAL_ROUNDING *
        (Math.abs(ux) + Math.abs(uy) + Math.abs(uz)) *
        (Math.abs(vx) + Math.abs(vy) + Math.abs(vz)) *
        (i1 - i0 + j1 - j0 + k1 - k0 + 3);
    // Projections along x, y and z: per edge a 2D half plane, pushed out by the cell's reach. `s` turns the edge
    // functions so that the inside of the projected triangle is positive.
    const sx = px >= 0 ? 1 : -1;
    const sy = py >= 0 ? 1 : -1;
    const sz = pz >= 0 ? 1 : -1;
    const ruX = half * (Math.abs(uy) + Math.abs(uz));
    const rvX = half * (Math.abs(vy) + Math.abs(vz));
    const rwX = half * (Math.abs(wy) + Math.abs(wz));
    const ruY = half * (Math.abs(uz) + Math.abs(ux));
    const rvY = half * (Math.abs(vz) + Math.abs(vx));
    const rwY = half * (Math.abs(wz) + Math.abs(wx));
    const ruZ = half * (Math.abs(ux) + Math.abs(uy));
    const rvZ = half * (Math.abs(vx) + Math.abs(vy));
    const rwZ = half * (Math.abs(wx) + Math.abs(wy));
    for (let k = k0; k <= k1; k++) {
      const z = k + 0.5;
      for (let j = j0; j <= j1; j++) {
        const y = j + 0.5;
        // The projection along x does not depend on i.
        if (sx * (uy * (z - az) - uz * (y - ay)) < -ruX) continue;
        if (sx * (vy * (z - bz) - vz * (y - by)) < -rvX) continue;
        if (sx * (wy * (z - cz) - wz * (y - cy)) < -rwX) continue;
        const before = n;
        let from = i0;
        let to = i1;
        if (isLarge) {
          // The cells of the row that the plane passes, and one more on either side for rounding; all where px is 0.
          const height = py * (y - ay) + pz * (z - az);
          const middle = ax - height / px - 0.5;
          const reach = (planeReach / Math.abs(px)) * (1 + ROW_ROUNDING) + 1;
          if (middle - reach > i0) from = Math.min(i1, Math.floor(middle - reach));
          if (middle + reach < i1) to = Math.max(i0, Math.ceil(middle + reach));
          pairs.count = n;
          pairs.reserve(to - from + 1);
          ({ cells, triangles } = pairs);
        }
        for (let i = from; i <= to; i++) {
          const x = i + 0.5;
          if (Math.abs(px * (x - ax) + py * (y - ay) + pz * (z - az)) > planeReach) continue;
          if (sy * (uz * (x - ax) - ux * (z - az)) < -ruY) continue;
          if (sy * (vz * (x - bx) - vx * (z - bz)) < -rvY) continue;
          if (sy * (wz * (x - cx) - wx * (z - cz)) < -rwY) continue;
          if (sz * (ux * (y - ay) - uy * (x - ax)) < -ruZ) continue;
          if (sz * (vx * (y - by) - vy * (x - bx)) < -rvZ) continue;
          if (sz * (wx * (y - cy) - wy * (x - cx)) < -rwZ) continue;
          cells[n] = (k * ny + j) * nx + i;
          triangles[n++] = t;
        }
        perBand[(k * ny + j) >>> bandShift]! += n - before;
      }
    }
    pairs.count = n;
  }
}
