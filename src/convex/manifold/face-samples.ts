// The face of a core of which only support points are known: sums, hulls, frusta, flat polytopes.
import {
  FACING_COSINE,
  FACING_SINE,
  FACING_TANGENT,
  LEAST_FEATURE_WIDTH,
  MANIFOLD_PERTURBATION,
  MANIFOLD_RESOLUTION,
  MANIFOLD_SAMPLES,
  SAMPLED_FACE_RESOLUTION,
} from '../constants.ts';
import { setAcross } from '../shapes/directions-across.ts';
import { PARAMETERS, Parameter, type ShapeRecords } from '../shapes/records.ts';
import { coreSupport } from '../shapes/support.ts';
import { addVertex, closeFeature, Feature, type SupportingFace, simplify } from './feature.ts';
import { COSINES, SINES } from './sampled-feature.ts';

const ring = new Float64Array(3 * MANIFOLD_SAMPLES);
const p = new Float64Array(3);
const q = new Float64Array(3);
const middle = new Float64Array(3);
const feature = new Feature();

/**
 * Finds the face or line that faces a direction. Support points of directions around it, as far as a face may be
 * tilted, span a polygon or a line. Then support points close around its normal are taken. They are a face if they lie
 * in one plane. They are a line if they are no wider than curvature makes one.
 */
export function sampleFace(
  table: ShapeRecords,
  shape: number,
  x: number,
  y: number,
  z: number,
  out: SupportingFace,
): void {
  const radius = table.parameters[PARAMETERS * shape + Parameter.boundingRadius]!;
  if (!(radius > 0)) return;
  sampleAround(table, shape, x, y, z, FACING_TANGENT);
  if (!setMiddle(x, y, z, radius)) return;
  projectAround(table, shape, radius);
  if (feature.count === 2) {
    // A surface that bends across a line has many such lines. The one that faces the direction is wanted, not the one
    // in the middle.
    const { vertices: v } = feature;
    const [u, w, h] = [v[3]! - v[0]!, v[4]! - v[1]!, v[5]! - v[2]!];
    const [ex, ey, ez] = [0, 1, 2].map((k) => u * p[k]! + w * q[k]! + h * middle[k]!) as [
      number,
      number,
      number,
    ];
    setAcrossLine(x, y, z, ex, ey, ez);
    projectAround(table, shape, radius);
  }
  const { vertices, count } = feature;
  if (count === 1) return;
  const [mx, my, mz] = [middle[0]!, middle[1]!, middle[2]!];
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < count; i++) {
    low = Math.min(low, vertices[3 * i + 2]!);
    high = Math.max(high, vertices[3 * i + 2]!);
  }
  if (count > 2 && high - low > SAMPLED_FACE_RESOLUTION * radius) return;
  for (let i = 0; i < count; i++) {
    const [u, v, h] = [vertices[3 * i]!, vertices[3 * i + 1]!, vertices[3 * i + 2]!];
    out.points[3 * i] = u * p[0]! + v * q[0]! + h * mx;
    out.points[3 * i + 1] = u * p[1]! + v * q[1]! + h * my;
    out.points[3 * i + 2] = u * p[2]! + v * q[2]! + h * mz;
    out.names[i] = i;
  }
  if (count === 2 && !isLevel(out.points, x, y, z)) return;
  out.count = count;
  out.normal.set(middle);
}

/** Samples close around `middle`. Makes a feature of them, over the plane across `middle` with the axes `p` and `q`. */
function projectAround(table: ShapeRecords, shape: number, radius: number): void {
  const [mx, my, mz] = [middle[0]!, middle[1]!, middle[2]!];
  sampleAround(table, shape, mx, my, mz, MANIFOLD_PERTURBATION);
  feature.count = 0;
  const same = MANIFOLD_RESOLUTION * radius;
  for (let i = 0; i < ring.length; i += 3) {
    const [a, b, c] = [ring[i]!, ring[i + 1]!, ring[i + 2]!];
    const u = a * p[0]! + b * p[1]! + c * p[2]!;
    const v = a * q[0]! + b * q[1]! + c * q[2]!;
    addVertex(feature, u, v, a * mx + b * my + c * mz, same);
  }
  closeFeature(feature, same);
  simplify(feature, LEAST_FEATURE_WIDTH * radius);
}

/**
 * Puts support points of directions around a unit vector, tilted by an angle with this tangent, into `ring`; sets the
 * axes across it.
 */
function sampleAround(
  table: ShapeRecords,
  shape: number,
  x: number,
  y: number,
  z: number,
  tangent: number,
): void {
  setAcross(x, y, z, p, q);
  for (let i = 0; i < MANIFOLD_SAMPLES; i++) {
    const cp = tangent * COSINES[i]!;
    const cq = tangent * SINES[i]!;
    const dx = x + cp * p[0]! + cq * q[0]!;
    const dy = y + cp * p[1]! + cq * q[1]!;
    const dz = z + cp * p[2]! + cq * q[2]!;
    coreSupport(table, shape, dx, dy, dz, ring, 3 * i);
  }
}

/** Sets `middle` to the normal of the polygon or line that the ring makes; false if it is a point. */
function setMiddle(x: number, y: number, z: number, radius: number): boolean {
  let [nx, ny, nz] = [0, 0, 0];
  let [from, to, longest] = [0, 0, 0];
  for (let i = 0; i < ring.length; i += 3) {
    const j = i + 3 === ring.length ? 0 : i + 3;
    const [ax, ay, az] = [ring[i]! - ring[0]!, ring[i + 1]! - ring[1]!, ring[i + 2]! - ring[2]!];
    const [bx, by, bz] = [ring[j]! - ring[0]!, ring[j + 1]! - ring[1]!, ring[j + 2]! - ring[2]!];
    nx += ay * bz - az * by;
    ny += az * bx - ax * bz;
    nz += ax * by - ay * bx;
    for (let k = 0; k < i; k += 3) {
      const squared =
        (ring[i]! - ring[k]!) ** 2 + (ring[i + 1]! - ring[k + 1]!) ** 2 + (ring[i + 2]! - ring[k + 2]!) ** 2;
      if (squared > longest) [from, to, longest] = [k, i, squared];
    }
  }
  if (longest <= (LEAST_FEATURE_WIDTH * radius) ** 2) return false;
  const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (area <= LEAST_FEATURE_WIDTH * radius * Math.sqrt(longest)) {
    setAcrossLine(
      x,
      y,
      z,
      ring[to]! - ring[from]!,
      ring[to + 1]! - ring[from + 1]!,
      ring[to + 2]! - ring[from + 2]!,
    );
    return true;
  }
  setMiddleTo(nx, ny, nz, x, y, z);
  return true;
}

/** Sets `middle` to the direction across a line that is nearest to x, y, z. */
function setAcrossLine(x: number, y: number, z: number, ex: number, ey: number, ez: number): void {
  const s = (x * ex + y * ey + z * ez) / (ex * ex + ey * ey + ez * ez);
  setMiddleTo(x - s * ex, y - s * ey, z - s * ez, x, y, z);
}

/** Sets `middle` to a vector, at unit length; or to x, y, z if the vector is tilted more than a face may be. */
function setMiddleTo(nx: number, ny: number, nz: number, x: number, y: number, z: number): void {
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (nx * x + ny * y + nz * z >= FACING_COSINE * length && length > 0) {
    middle[0] = nx / length;
    middle[1] = ny / length;
    middle[2] = nz / length;
  } else {
    middle[0] = x;
    middle[1] = y;
    middle[2] = z;
  }
}

/** Whether a line lies in the plane across a direction, to the angle that faces may be off. */
function isLevel(points: Float64Array, x: number, y: number, z: number): boolean {
  const [dx, dy, dz] = [points[3]! - points[0]!, points[4]! - points[1]!, points[5]! - points[2]!];
  return Math.abs(x * dx + y * dy + z * dz) <= FACING_SINE * Math.sqrt(dx * dx + dy * dy + dz * dz);
}
