/**
 * What the ray-crossing kernel reads of a body: per triangle a corner and the three rows that give b1, b2 and t,
 * with their error bound; per cluster of triangles a box in coordinates sheared along the ray. Derivation in
 * docs/ray-crossing.md.
 */
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { LARGEST_ROW } from '../constants.ts';
import { chooseFrame, type Frame } from '../frame.ts';
import { mortonCode, sortOrder } from '../morton.ts';
import {
  LEAST_RELATIVE_DETERMINANT,
  LEAST_STEEP_REGION_WIDTH,
  MARGIN_ERROR,
  MARGIN_ERROR_CONSTANT,
  RAY_SLOPE_Y,
  RAY_SLOPE_Z,
  SHEAR_ERROR,
  STEEP_REGION_BOUND,
  STEEP_REGION_LENGTH,
  STEEP_REGION_WIDTH,
} from './constants.ts';

/** Floats per triangle. */
export const TRIANGLE_FLOATS = 16;
/** Where a triangle's numbers stand among them: three each, but for the constant part of its bound. */
export const TriangleFloat = {
  corner: 0,
  rowB1: 3,
  rowB2: 6,
  rowT: 9,
  /** Of the error, per distance along x, y and z. */
  bound: 12,
  /** Its sign is the winding of a crossing. */
  signedConstant: 15,
} as const;
/** Floats per cluster box: yMin, yMax, zMin, zMax (sheared), xMax, and padding to the struct's size. */
export const BOX_FLOATS = 8;
export const CLUSTERS_PER_SUPER = 32;
const DEFAULT_CLUSTER_SIZE = 16;

export interface RayCrossingTables {
  readonly frame: Frame;
  /** Centre that sheared coordinates are relative to, in the frame: float32. */
  readonly center: readonly [number, number, number];
  readonly triangleCount: number;
  readonly clusterSize: number;
  readonly clusterCount: number;
  readonly superCount: number;
  /** Triangle of the mesh at each place of the clusters. */
  readonly order: Uint32Array;
  /** `TRIANGLE_FLOATS` per triangle, in cluster order. */
  readonly triangles: Float32Array;
  /** `BOX_FLOATS` per cluster, then per super cluster of `CLUSTERS_PER_SUPER`. */
  readonly boxes: Float32Array;
}

const scratch = new Float32Array(1);
const scratchBits = new Int32Array(scratch.buffer);

/** Least float32 that is at least `x` (finite, in float32's range). */
function roundUp(x: number): number {
  const r = Math.fround(x);
  if (r >= x) return r;
  scratch[0] = r;
  // Away from zero for positive numbers, towards it for negative ones: both upwards.
  if (r === 0) return 2 ** -149;
  scratchBits[0]! += r > 0 ? 1 : -1;
  return scratch[0]!;
}

function roundDown(x: number): number {
  return -roundUp(-x);
}

/** Coordinates of the three corners of one triangle in the frame, reused from triangle to triangle. */
interface Corners {
  ax: number;
  ay: number;
  az: number;
  bx: number;
  by: number;
  bz: number;
  cx: number;
  cy: number;
  cz: number;
}

function writeVector(out: Float32Array, at: number, x: number, y: number, z: number): void {
  out[at] = x;
  out[at + 1] = y;
  out[at + 2] = z;
}

/**
 * Writes corner, rows and bound of a triangle. Returns false, having written nothing, where the triangle is too steep
 * against the ray or too thin for float64 to give the rows to 2^-29.
 */
function writeRows(out: Float32Array, at: number, t: Corners): boolean {
  const ux = t.bx - t.ax;
  const uy = t.by - t.ay;
  const uz = t.bz - t.az;
  const vx = t.cx - t.ax;
  const vy = t.cy - t.ay;
  const vz = t.cz - t.az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  // Capitals: the same with every difference replaced by a sum of absolute terms.
  const Nx = Math.abs(uy * vz) + Math.abs(uz * vy);
  const Ny = Math.abs(uz * vx) + Math.abs(ux * vz);
  const Nz = Math.abs(ux * vy) + Math.abs(uy * vx);
  const dn = nx + RAY_SLOPE_Y * ny + RAY_SLOPE_Z * nz;
  const terms = Nx + RAY_SLOPE_Y * Ny + RAY_SLOPE_Z * Nz;
  if (!(Math.abs(dn) > LEAST_RELATIVE_DETERMINANT * terms)) return false;

  const inverse = 1 / dn;
  const scale = Math.abs(inverse);
  // b1 = (v x d) . (p - a) / (d . n) and b2 = (d x u) . (p - a) / (d . n), with d = (1, slopeY, slopeZ).
  const b1x = (vy * RAY_SLOPE_Z - vz * RAY_SLOPE_Y) * inverse;
  const b1y = (vz - vx * RAY_SLOPE_Z) * inverse;
  const b1z = (vx * RAY_SLOPE_Y - vy) * inverse;
  const b2x = (uz * RAY_SLOPE_Y - uy * RAY_SLOPE_Z) * inverse;
  const b2y = (ux * RAY_SLOPE_Z - uz) * inverse;
  const b2z = (uy - ux * RAY_SLOPE_Y) * inverse;
  const sumX = (Math.abs(vy) + Math.abs(uy)) * RAY_SLOPE_Z + (Math.abs(vz) + Math.abs(uz)) * RAY_SLOPE_Y;
  const sumY = Math.abs(vz) + Math.abs(uz) + (Math.abs(vx) + Math.abs(ux)) * RAY_SLOPE_Z;
  const sumZ = Math.abs(vy) + Math.abs(uy) + (Math.abs(vx) + Math.abs(ux)) * RAY_SLOPE_Y;
  // t = -n . (p - a) / (d . n) is a length; a power of two puts its row on the size of the others, so that one bound
  // serves all four numbers.
  const largestSum = Math.max(sumX, sumY, sumZ) * scale;
  const largestTerm = Math.max(Nx, Ny, Nz) * scale;
  const unit = 2 ** Math.floor(Math.log2(largestSum / largestTerm));
  if (!(largestSum < LARGEST_ROW && largestTerm * unit < LARGEST_ROW)) return false;
  const tScale = -inverse * unit;
  const error = MARGIN_ERROR * scale;

  writeVector(out, at + TriangleFloat.corner, t.ax, t.ay, t.az);
  writeVector(out, at + TriangleFloat.rowB1, b1x, b1y, b1z);
  writeVector(out, at + TriangleFloat.rowB2, b2x, b2y, b2z);
  writeVector(out, at + TriangleFloat.rowT, nx * tScale, ny * tScale, nz * tScale);
  const bound = at + TriangleFloat.bound;
  out[bound] = error * Math.max(sumX, Nx * unit);
  out[bound + 1] = error * Math.max(sumY, Ny * unit);
  out[bound + 2] = error * Math.max(sumZ, Nz * unit);
  // The sign is the winding of a crossing: +1 where the ray leaves through the triangle's front.
  out[at + TriangleFloat.signedConstant] = Math.sign(dn) * MARGIN_ERROR_CONSTANT;
  return true;
}

/**
 * Writes, for a triangle that is a segment or a point as seen along the ray, rows whose minimum is within its bound
 * in a thin region around that segment, up to the triangle's far end, and certainly negative elsewhere: there every
 * point is settled exactly, and nowhere else does the triangle count. `extent` is the largest absolute coordinate.
 */
function writeSteepRegion(out: Float32Array, at: number, t: Corners, extent: number): void {
  const { ax, ay, az, bx, by, bz, cx, cy, cz } = t;
  // Corners sheared along the ray, relative to corner a.
  const x = [0, bx - ax, cx - ax];
  const y = [0, by - ay - RAY_SLOPE_Y * x[1]!, cy - ay - RAY_SLOPE_Y * x[2]!];
  const z = [0, bz - az - RAY_SLOPE_Z * x[1]!, cz - az - RAY_SLOPE_Z * x[2]!];
  let from = 0;
  let to = 1;
  let length = -1;
  for (const [i, j] of [
    [0, 1],
    [1, 2],
    [2, 0],
  ] as const) {
    const distance = Math.hypot(y[j]! - y[i]!, z[j]! - z[i]!);
    if (distance > length) {
      length = distance;
      from = i;
      to = j;
    }
  }
  // Along the segment (s) and across it (q).
  const sy = length > 0 ? (y[to]! - y[from]!) / length : 1;
  const sz = length > 0 ? (z[to]! - z[from]!) / length : 0;
  const [qy, qz] = [-sz, sy];
  let across = 0;
  for (let i = 0; i < 3; i++)
    across = Math.max(across, Math.abs((y[i]! - y[from]!) * qy + (z[i]! - z[from]!) * qz));
  const reach = Math.max(length, STEEP_REGION_LENGTH * extent);
  const width = Math.max(STEEP_REGION_WIDTH * reach, 2 * across, LEAST_STEEP_REGION_WIDTH * extent);

  // Its corner, where b1 = b2 = t = 0: `reach` before the segment, `width` beside it, at the triangle's far end.
  const cornerX = roundUp(ax + Math.max(x[0]!, x[1]!, x[2]!));
  const shift = cornerX - ax;
  const cornerY = ay + y[from]! - reach * sy - width * qy + RAY_SLOPE_Y * shift;
  const cornerZ = az + z[from]! - reach * sz - width * qz + RAY_SLOPE_Z * shift;
  const b2 = [-RAY_SLOPE_Y * qy - RAY_SLOPE_Z * qz, qy, qz].map((q) => q / (3 * width));
  const along = [-RAY_SLOPE_Y * sy - RAY_SLOPE_Z * sz, sy, sz];
  const b1 = along.map((s, k) => (s - b2[k]! * (length / 2 + reach)) / (length + 2 * reach));
  out.set([cornerX, cornerY, cornerZ, ...b1, ...b2, -1 / width, 0, 0], at);
  for (let k = 0; k < 3; k++) {
    const sum = 2 * (Math.abs(b1[k]!) + Math.abs(b2[k]!)) + 1 / width;
    out[at + TriangleFloat.bound + k] = MARGIN_ERROR * sum;
  }
  out[at + TriangleFloat.signedConstant] = STEEP_REGION_BOUND;
}

/**
 * Sorts triangles along a Morton curve by the middle of their boxes, so that clusters are compact. Codes have 20 bits
 * per axis: a detailed part of a large body is still told apart.
 */
function clusterOrder(mesh: TriangleMesh): Uint32Array {
  const { positions, indices, triangleCount, box } = mesh;
  const fine = new Uint32Array(triangleCount);
  const coarse = new Uint32Array(triangleCount);
  const cells = [0, 1, 2].map((k) => {
    const extent = box.max[k]! - box.min[k]!;
    return extent > 0 ? (2 ** 20 - 1) / (2 * extent) : 0;
  });
  const cell = [0, 0, 0];
  for (let t = 0; t < triangleCount; t++) {
    const i = 3 * indices[3 * t]!;
    const j = 3 * indices[3 * t + 1]!;
    const l = 3 * indices[3 * t + 2]!;
    for (let k = 0; k < 3; k++) {
      const p = positions[i + k]!;
      const q = positions[j + k]!;
      const r = positions[l + k]!;
      cell[k] = (Math.min(p, q, r) + Math.max(p, q, r) - 2 * box.min[k]!) * cells[k]!;
    }
    fine[t] = mortonCode(cell[0]!, cell[1]!, cell[2]!);
    coarse[t] = mortonCode(cell[0]! / 1024, cell[1]! / 1024, cell[2]! / 1024);
  }
  return sortOrder(coarse, sortOrder(fine));
}

/** Grows box `to` of `boxes` by box `from`. */
function growBox(boxes: Float32Array, to: number, from: number): void {
  for (let k = 0; k < 4; k += 2) {
    boxes[to + k] = Math.min(boxes[to + k]!, boxes[from + k]!);
    boxes[to + k + 1] = Math.max(boxes[to + k + 1]!, boxes[from + k + 1]!);
  }
  boxes[to + 4] = Math.max(boxes[to + 4]!, boxes[from + 4]!);
}

/** Builds the tables in float64; every table entry is the float32 nearest to its exact value, boxes are outward. */
export function buildRayCrossingTables(
  mesh: TriangleMesh,
  options: { clusterSize?: number; frame?: Frame } = {},
): RayCrossingTables {
  const { clusterSize = DEFAULT_CLUSTER_SIZE, frame = chooseFrame(mesh) } = options;
  const { positions, indices, triangleCount, box } = mesh;
  const { axes, scale } = frame;
  const [kx, ky, kz] = axes;
  const order = clusterOrder(mesh);
  const clusterCount = Math.ceil(triangleCount / clusterSize);
  const superCount = Math.ceil(clusterCount / CLUSTERS_PER_SUPER);
  const triangles = new Float32Array(triangleCount * TRIANGLE_FLOATS);
  const boxes = new Float32Array((clusterCount + superCount) * BOX_FLOATS);
  for (let b = 0; b < boxes.length; b += BOX_FLOATS) {
    boxes.set([Infinity, -Infinity, Infinity, -Infinity, -Infinity], b);
  }

  const middle = (k: number) => Math.fround(((box.min[k]! + box.max[k]!) / 2) * scale);
  const center: [number, number, number] = [middle(kx), middle(ky), middle(kz)];
  let extent = 0;
  for (const k of axes) {
    extent = Math.max(extent, Math.abs(box.min[k]! * scale), Math.abs(box.max[k]! * scale));
  }
  // A mesh of nothing but the origin: any size will do for its region.
  if (extent === 0) extent = 1;
  // Along the ray as well: a kernel may take a subnormal end of a box for 0.
  const slack = SHEAR_ERROR * extent;

  const corner: Corners = { ax: 0, ay: 0, az: 0, bx: 0, by: 0, bz: 0, cx: 0, cy: 0, cz: 0 };
  for (let place = 0; place < triangleCount; place++) {
    const t = 3 * order[place]!;
    const i = 3 * indices[t]!;
    const j = 3 * indices[t + 1]!;
    const l = 3 * indices[t + 2]!;
    const ax = (corner.ax = positions[i + kx]! * scale);
    const ay = (corner.ay = positions[i + ky]! * scale);
    const az = (corner.az = positions[i + kz]! * scale);
    const bx = (corner.bx = positions[j + kx]! * scale);
    const by = (corner.by = positions[j + ky]! * scale);
    const bz = (corner.bz = positions[j + kz]! * scale);
    const cx = (corner.cx = positions[l + kx]! * scale);
    const cy = (corner.cy = positions[l + ky]! * scale);
    const cz = (corner.cz = positions[l + kz]! * scale);
    const at = place * TRIANGLE_FLOATS;
    if (!writeRows(triangles, at, corner)) writeSteepRegion(triangles, at, corner, extent);

    const shearY = (x: number, y: number) => y - center[1] - RAY_SLOPE_Y * (x - center[0]);
    const shearZ = (x: number, z: number) => z - center[2] - RAY_SLOPE_Z * (x - center[0]);
    const [ya, yb, yc] = [shearY(ax, ay), shearY(bx, by), shearY(cx, cy)];
    const [za, zb, zc] = [shearZ(ax, az), shearZ(bx, bz), shearZ(cx, cz)];
    const b = Math.floor(place / clusterSize) * BOX_FLOATS;
    boxes[b] = Math.min(boxes[b]!, roundDown(Math.min(ya, yb, yc) - slack));
    boxes[b + 1] = Math.max(boxes[b + 1]!, roundUp(Math.max(ya, yb, yc) + slack));
    boxes[b + 2] = Math.min(boxes[b + 2]!, roundDown(Math.min(za, zb, zc) - slack));
    boxes[b + 3] = Math.max(boxes[b + 3]!, roundUp(Math.max(za, zb, zc) + slack));
    boxes[b + 4] = Math.max(boxes[b + 4]!, roundUp(Math.max(ax, bx, cx) + slack));
  }
  for (let c = 0; c < clusterCount; c++) {
    growBox(boxes, (clusterCount + Math.floor(c / CLUSTERS_PER_SUPER)) * BOX_FLOATS, c * BOX_FLOATS);
  }
  return { frame, center, triangleCount, clusterSize, clusterCount, superCount, order, triangles, boxes };
}
