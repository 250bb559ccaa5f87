// The feature of a shape in a direction, sampled by perturbing that direction: L. Olvang (2010), section 2.6, algorithm 13.
import { LEAST_FEATURE_WIDTH, MANIFOLD_PERTURBATION, MANIFOLD_SAMPLES } from '../constants.ts';
import type { Pair } from './pair.ts';
import { PARAMETERS } from './records.ts';
import { coreSupport } from './support.ts';

/** A convex polygon, segment or point in coordinates of the contact's plane, with heights over it. */
export class Feature {
  /** u, v, height per vertex, counter-clockwise seen against the normal. */
  readonly vertices = new Float64Array(3 * MANIFOLD_SAMPLES);
  count = 0;
  /** Height over the plane at u, v: slope[0] u + slope[1] v + slope[2]. */
  readonly slope = new Float64Array(3);
}

const local = new Float64Array(3);
const COSINES = Float64Array.from({ length: MANIFOLD_SAMPLES }, (_, i) =>
  Math.cos((2 * Math.PI * (i + 0.5)) / MANIFOLD_SAMPLES),
);
const SINES = Float64Array.from({ length: MANIFOLD_SAMPLES }, (_, i) =>
  Math.sin((2 * Math.PI * (i + 0.5)) / MANIFOLD_SAMPLES),
);

/**
 * Samples the feature of A along the pair's normal, or of B against it. The margin is added along the normal itself, so that
 * rounded shapes have the feature of their cores.
 *
 * @param axes unit vectors u, v, n of the contact's plane, right-handed, then its origin; in A's frame
 */
export function sampleFeature(pair: Pair, ofB: boolean, axes: Float64Array, out: Feature): void {
  const { vertices } = out;
  const r = pair.placement;
  const sign = ofB ? -1 : 1;
  const shape = ofB ? pair.shapeB : pair.shapeA;
  const margin = sign * (ofB ? pair.marginB : pair.marginA);
  out.count = 0;
  for (let i = 0; i < MANIFOLD_SAMPLES; i++) {
    const cu = MANIFOLD_PERTURBATION * COSINES[i]!;
    const cv = MANIFOLD_PERTURBATION * SINES[i]!;
    const x = sign * axes[6]! + cu * axes[0]! + cv * axes[3]!;
    const y = sign * axes[7]! + cu * axes[1]! + cv * axes[4]!;
    const z = sign * axes[8]! + cu * axes[2]! + cv * axes[5]!;
    let [px, py, pz] = [0, 0, 0];
    if (ofB) {
      const lx = r[0]! * x + r[3]! * y + r[6]! * z;
      const ly = r[1]! * x + r[4]! * y + r[7]! * z;
      const lz = r[2]! * x + r[5]! * y + r[8]! * z;
      coreSupport(pair.table, shape, lx, ly, lz, local, 0);
      px = r[0]! * local[0]! + r[1]! * local[1]! + r[2]! * local[2]! + r[9]!;
      py = r[3]! * local[0]! + r[4]! * local[1]! + r[5]! * local[2]! + r[10]!;
      pz = r[6]! * local[0]! + r[7]! * local[1]! + r[8]! * local[2]! + r[11]!;
    } else {
      coreSupport(pair.table, shape, x, y, z, local, 0);
      px = local[0]!;
      py = local[1]!;
      pz = local[2]!;
    }
    px -= axes[9]!;
    py -= axes[10]!;
    pz -= axes[11]!;
    const u = px * axes[0]! + py * axes[1]! + pz * axes[2]!;
    const v = px * axes[3]! + py * axes[4]! + pz * axes[5]!;
    const h = px * axes[6]! + py * axes[7]! + pz * axes[8]! + margin;
    addVertex(out, u, v, h, pair.touching);
  }
  if (out.count > 1 && sameVertex(vertices, 0, out.count - 1, pair.touching)) out.count--;
  simplify(out, LEAST_FEATURE_WIDTH * pair.table.parameters[PARAMETERS * shape + 14]!);
  setSlope(out);
}

function addVertex(out: Feature, u: number, v: number, h: number, same: number): void {
  const { vertices, count } = out;
  const at = 3 * count;
  vertices[at] = u;
  vertices[at + 1] = v;
  vertices[at + 2] = h;
  if (count > 0 && sameVertex(vertices, count - 1, count, same)) return;
  out.count++;
}

function sameVertex(vertices: Float64Array, i: number, j: number, same: number): boolean {
  const du = vertices[3 * i]! - vertices[3 * j]!;
  const dv = vertices[3 * i + 1]! - vertices[3 * j + 1]!;
  return Math.abs(du) <= same && Math.abs(dv) <= same;
}

/**
 * A polygon narrower than what curvature alone makes of a line or a point becomes one. So does one with less than the area of convex
 * ones that long and wide: samples of a bent edge go there and back, over its middle.
 */
function simplify(out: Feature, least: number): void {
  const { vertices, count } = out;
  let [from, to, longest] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < i; j++) {
      const du = vertices[3 * i]! - vertices[3 * j]!;
      const dv = vertices[3 * i + 1]! - vertices[3 * j + 1]!;
      const length = Math.sqrt(du * du + dv * dv);
      if (length > longest) [from, to, longest] = [j, i, length];
    }
  }
  if (longest <= least) {
    const mean = [0, 0, 0];
    for (let i = 0; i < 3 * count; i++) mean[i % 3]! += vertices[i]! / count;
    vertices.set(mean);
    out.count = 1;
    return;
  }
  if (count < 3) return;
  const du = (vertices[3 * to]! - vertices[3 * from]!) / longest;
  const dv = (vertices[3 * to + 1]! - vertices[3 * from + 1]!) / longest;
  let [low, high] = [0, 0];
  for (let i = 0; i < count; i++) {
    const across =
      du * (vertices[3 * i + 1]! - vertices[3 * from + 1]!) - dv * (vertices[3 * i]! - vertices[3 * from]!);
    low = Math.min(low, across);
    high = Math.max(high, across);
  }
  if (high - low > least && doubleArea(out) >= longest * least) return;
  const first = vertices.slice(3 * from, 3 * from + 3);
  const last = vertices.slice(3 * to, 3 * to + 3);
  vertices.set(first, 0);
  vertices.set(last, 3);
  out.count = 2;
}

function doubleArea({ vertices, count }: Feature): number {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const [a, b] = [3 * i, 3 * ((i + 1) % count)];
    sum += (vertices[a]! - vertices[0]!) * (vertices[b + 1]! - vertices[1]!);
    sum -= (vertices[a + 1]! - vertices[1]!) * (vertices[b]! - vertices[0]!);
  }
  return sum;
}

/** Plane of heights: through the polygon by its area vector, along the segment, or level. */
function setSlope(out: Feature): void {
  const { vertices, count, slope } = out;
  slope.fill(0);
  if (count === 2) {
    const du = vertices[3]! - vertices[0]!;
    const dv = vertices[4]! - vertices[1]!;
    const s = (vertices[5]! - vertices[2]!) / (du * du + dv * dv);
    slope[0] = s * du;
    slope[1] = s * dv;
  } else if (count > 2) {
    let [x, y, z] = [0, 0, 0];
    for (let i = 2; i < count; i++) {
      const [a, b] = [3 * (i - 1), 3 * i];
      const [au, av, ah] = [
        vertices[a]! - vertices[0]!,
        vertices[a + 1]! - vertices[1]!,
        vertices[a + 2]! - vertices[2]!,
      ];
      const [bu, bv, bh] = [
        vertices[b]! - vertices[0]!,
        vertices[b + 1]! - vertices[1]!,
        vertices[b + 2]! - vertices[2]!,
      ];
      x += av * bh - ah * bv;
      y += ah * bu - au * bh;
      z += au * bv - av * bu;
    }
    slope[0] = -x / z;
    slope[1] = -y / z;
  }
  let sum = 0;
  for (let i = 0; i < count; i++) {
    sum += vertices[3 * i + 2]! - slope[0]! * vertices[3 * i]! - slope[1]! * vertices[3 * i + 1]!;
  }
  slope[2] = sum / count;
}
