// The point of a simplex nearest to the origin, and the smallest feature that it lies on, by Voronoi regions: L. Olvang
// (2010), section 2.3.2, algorithms 2 and 3. Twin: shaders/convex/gjk/gjk-voronoi.wgsl. Three departures, each because
// of rounding:
//
// - Whether the origin lies beyond a face of a tetrahedron is decided exactly, and so is the side of the fourth point.
//   In the thesis both are float tests, and a flat tetrahedron then holds the origin by chance.
// - If the origin lies beyond several faces, the nearest point of each is found, and the nearest of all is taken. The
//   thesis picks one face by dividing planes, which pick wrongly on slivers.
// - A triangle's point is found in the projection onto the two axes in which the triangle is largest, relative to the
//   foot of the perpendicular. Weights are then quotients of small areas (as in M. Montanari, N. Petrinic, E. Barbieri,
//   "Improving the GJK algorithm for faster and more reliable distance queries", ACM TOG 36 (2017)).
import { type Pair, POINT } from '../pair/pair.ts';
import { volumeOf } from '../pair/volume.ts';
import { originSide } from './tetrahedron.ts';

/**
 * Rounding of a volume below, in units of the cube of the points' size: 6 products, each with 7 roundings at most,
 * rounded up.
 */
const ORIGIN_SIDE_ERROR = 64 * 2 ** -53;
/** Squared sine of a corner below which a triangle's normal is taken from its shorter edges. */
const SLENDER = 2 ** -20;

// The best point so far, in arrays: engines box numbers of a module that change.
/** Squared distance, point, weights. */
const best = new Float64Array(7);
/** Slots of its feature, and how many they are. */
const bestSlots = new Int32Array(4);
const SQUARED = 0;
const POINT_AT = 1;
const WEIGHTS = 4;
const COUNT = 3;

/**
 * Reduces the simplex in slots 0 .. count - 1 to the feature nearest to the origin; sets `nearest` and `weights`.
 *
 * @returns true if a tetrahedron contains the origin; it is left as it is.
 */
export function nearestByVoronoi(pair: Pair): boolean {
  const { points, count } = pair;
  best[SQUARED] = Infinity;
  if (count === 1) tryVertex(points, 0);
  else if (count === 2) trySegment(points, 0, 1);
  else if (count === 3) tryTriangle(points, 0, 1, 2);
  else if (tryTetrahedron(points, pair.size)) return true;
  keepBest(pair);
  return false;
}

function keepBest(pair: Pair): void {
  const { points, weights, nearest } = pair;
  const count = bestSlots[COUNT]!;
  // Slots ascend, so that moving down never overwrites what is still to be moved.
  for (let i = 1; i < count; i++) {
    for (let j = i; j > 0 && bestSlots[j - 1]! > bestSlots[j]!; j--) {
      const slot = bestSlots[j]!;
      bestSlots[j] = bestSlots[j - 1]!;
      bestSlots[j - 1] = slot;
      const weight = best[WEIGHTS + j]!;
      best[WEIGHTS + j] = best[WEIGHTS + j - 1]!;
      best[WEIGHTS + j - 1] = weight;
    }
  }
  for (let i = 0; i < count; i++) {
    weights[i] = best[WEIGHTS + i]!;
    const slot = bestSlots[i]!;
    if (slot === i) continue;
    const from = POINT * slot;
    const to = POINT * i;
    for (let k = 0; k < POINT; k++) points[to + k] = points[from + k]!;
  }
  pair.count = count;
  nearest[0] = best[POINT_AT]!;
  nearest[1] = best[POINT_AT + 1]!;
  nearest[2] = best[POINT_AT + 2]!;
}

function tryVertex(points: Float64Array, i: number): void {
  const p = POINT * i;
  const x = points[p]!;
  const y = points[p + 1]!;
  const z = points[p + 2]!;
  const squared = x * x + y * y + z * z;
  if (squared >= best[SQUARED]!) return;
  best[SQUARED] = squared;
  best[POINT_AT] = x;
  best[POINT_AT + 1] = y;
  best[POINT_AT + 2] = z;
  best[WEIGHTS] = 1;
  bestSlots[0] = i;
  bestSlots[COUNT] = 1;
}

/** Algorithm 2. */
function trySegment(points: Float64Array, i: number, j: number): void {
  const a = POINT * i;
  const b = POINT * j;
  const ax = points[a]!;
  const ay = points[a + 1]!;
  const az = points[a + 2]!;
  const cx = points[b]! - ax;
  const cy = points[b + 1]! - ay;
  const cz = points[b + 2]! - az;
  const along = -(ax * cx + ay * cy + az * cz);
  const length = cx * cx + cy * cy + cz * cz;
  if (!(along > 0)) {
    tryVertex(points, i);
    return;
  }
  if (along >= length) {
    tryVertex(points, j);
    return;
  }
  const t = along / length;
  const x = ax + t * cx;
  const y = ay + t * cy;
  const z = az + t * cz;
  const squared = x * x + y * y + z * z;
  if (squared >= best[SQUARED]!) return;
  best[SQUARED] = squared;
  best[POINT_AT] = x;
  best[POINT_AT + 1] = y;
  best[POINT_AT + 2] = z;
  best[WEIGHTS] = 1 - t;
  best[WEIGHTS + 1] = t;
  bestSlots[0] = i;
  bestSlots[1] = j;
  bestSlots[COUNT] = 2;
}

/** Algorithm 3. Only those edges are tried that the foot of the perpendicular lies beyond. */
function tryTriangle(points: Float64Array, i: number, j: number, k: number): void {
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
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = cx - ax;
  const vy = cy - ay;
  const vz = cz - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const squaredNormal = nx * nx + ny * ny + nz * nz;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  if (squaredNormal < SLENDER * uu * vv) {
    // The error of a cross product grows with the lengths of its factors, so the two shorter edges are taken.
    const tx = cx - bx;
    const ty = cy - by;
    const tz = cz - bz;
    const tt = tx * tx + ty * ty + tz * tz;
    if (uu > tt && uu >= vv) {
      tryTriangle(points, k, i, j);
      return;
    }
    if (vv > tt && vv > uu) {
      tryTriangle(points, j, k, i);
      return;
    }
  }
  if (!(squaredNormal > 0)) {
    trySegment(points, i, j);
    trySegment(points, j, k);
    trySegment(points, k, i);
    return;
  }
  const s = (nx * ax + ny * ay + nz * az) / squaredNormal;
  const px = s * nx;
  const py = s * ny;
  const pz = s * nz;
  // Areas as seen along the axis of the normal's largest component, in units of that component.
  const mx = Math.abs(nx);
  const my = Math.abs(ny);
  const mz = Math.abs(nz);
  let whole: number;
  let wa: number;
  let wb: number;
  if (mx >= my && mx >= mz) {
    whole = nx;
    wa = (by - py) * (cz - pz) - (bz - pz) * (cy - py);
    wb = (cy - py) * (az - pz) - (cz - pz) * (ay - py);
  } else if (my >= mz) {
    whole = ny;
    wa = (bz - pz) * (cx - px) - (bx - px) * (cz - pz);
    wb = (cz - pz) * (ax - px) - (cx - px) * (az - pz);
  } else {
    whole = nz;
    wa = (bx - px) * (cy - py) - (by - py) * (cx - px);
    wb = (cx - px) * (ay - py) - (cy - py) * (ax - px);
  }
  const la = wa / whole;
  const lb = wb / whole;
  const lc = 1 - la - lb;
  if (la > 0 && lb > 0 && lc > 0) {
    const squared = px * px + py * py + pz * pz;
    if (squared >= best[SQUARED]!) return;
    best[SQUARED] = squared;
    best[POINT_AT] = px;
    best[POINT_AT + 1] = py;
    best[POINT_AT + 2] = pz;
    best[WEIGHTS] = la;
    best[WEIGHTS + 1] = lb;
    best[WEIGHTS + 2] = lc;
    bestSlots[0] = i;
    bestSlots[1] = j;
    bestSlots[2] = k;
    bestSlots[COUNT] = 3;
    return;
  }
  if (!(la > 0)) trySegment(points, j, k);
  if (!(lb > 0)) trySegment(points, k, i);
  if (!(lc > 0)) trySegment(points, i, j);
}

/**
 * Tries the faces that the origin lies beyond; true if there are none. The origin lies beyond all faces of a flat
 * tetrahedron.
 *
 * @param size an upper bound of all coordinates
 */
function tryTetrahedron(points: Float64Array, size: number): boolean {
  const ax = points[0]!;
  const ay = points[1]!;
  const az = points[2]!;
  const bx = points[POINT]!;
  const by = points[POINT + 1]!;
  const bz = points[POINT + 2]!;
  const cx = points[2 * POINT]!;
  const cy = points[2 * POINT + 1]!;
  const cz = points[2 * POINT + 2]!;
  const dx = points[3 * POINT]!;
  const dy = points[3 * POINT + 1]!;
  const dz = points[3 * POINT + 2]!;
  // b x c and a x d serve two volumes each.
  const px = by * cz - bz * cy;
  const py = bz * cx - bx * cz;
  const pz = bx * cy - by * cx;
  const qx = ay * dz - az * dy;
  const qy = az * dx - ax * dz;
  const qz = ax * dy - ay * dx;
  // Volumes of the origin with each face, in the order of `originSide` below; they add up to that of the tetrahedron.
  const abc = ax * px + ay * py + az * pz;
  const adb = bx * qx + by * qy + bz * qz;
  const acd = -(cx * qx + cy * qy + cz * qz);
  const bdc = -(dx * px + dy * py + dz * pz);
  const doubt = ORIGIN_SIDE_ERROR * size * size * size;
  const sum = abc + adb + acd + bdc;
  if (
    (abc > doubt || abc < -doubt) &&
    (adb > doubt || adb < -doubt) &&
    (acd > doubt || acd < -doubt) &&
    (bdc > doubt || bdc < -doubt) &&
    (sum > 8 * doubt || sum < -8 * doubt)
  ) {
    const positive = sum > 0;
    let inside = true;
    if (abc > 0 !== positive) {
      inside = false;
      tryTriangle(points, 0, 1, 2);
    }
    if (adb > 0 !== positive) {
      inside = false;
      tryTriangle(points, 0, 1, 3);
    }
    if (acd > 0 !== positive) {
      inside = false;
      tryTriangle(points, 0, 2, 3);
    }
    if (bdc > 0 !== positive) {
      inside = false;
      tryTriangle(points, 1, 2, 3);
    }
    return inside;
  }
  return tryTetrahedronExactly(points);
}

function tryTetrahedronExactly(points: Float64Array): boolean {
  const volume = volumeOf(points, 0, POINT, 2 * POINT, 3 * POINT);
  if (volume === 0) {
    tryTriangle(points, 0, 1, 2);
    tryTriangle(points, 0, 1, 3);
    tryTriangle(points, 0, 2, 3);
    tryTriangle(points, 1, 2, 3);
    return false;
  }
  // The origin lies beyond a face if it and the fourth point see it in opposite orientation.
  let inside = true;
  if (originSide(points, 0, 1, 2) * volume < 0) {
    inside = false;
    tryTriangle(points, 0, 1, 2);
  }
  if (originSide(points, 0, 3, 1) * volume < 0) {
    inside = false;
    tryTriangle(points, 0, 1, 3);
  }
  if (originSide(points, 0, 2, 3) * volume < 0) {
    inside = false;
    tryTriangle(points, 0, 2, 3);
  }
  if (originSide(points, 1, 3, 2) * volume < 0) {
    inside = false;
    tryTriangle(points, 1, 2, 3);
  }
  return inside;
}
