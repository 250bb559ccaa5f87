// Contact manifold by perturbed sampling: L. Olvang (2010), section 2.6. The features of both shapes at the contact are projected
// onto its plane and cut with each other.
//
// Departure: cutting is by half planes, edge by edge (I. E. Sutherland, G. W. Hodgman 1974), for segments and points too. The
// thesis tests corners against the other polygon and edges against edges, which by its own account gives false corners.
import { MANIFOLD_SAMPLES, MOST_MANIFOLD_POINTS } from '../constants.ts';
import { axisAcross } from './axes.ts';
import { Feature, sampleFeature } from './feature.ts';
import type { Pair } from './pair.ts';

/** Numbers per contact: x, y, z halfway between the shapes, and the distance of the shapes there, negative where they overlap. */
export const CONTACT = 4;

const featureA = new Feature();
const featureB = new Feature();
const axes = new Float64Array(12);
const cut = new Float64Array(2 * (MOST_MANIFOLD_POINTS + MANIFOLD_SAMPLES));
const next = new Float64Array(2 * (MOST_MANIFOLD_POINTS + MANIFOLD_SAMPLES));

/**
 * Contacts of a pair whose normal and points are known, in A's frame.
 *
 * @param out takes up to MOST_MANIFOLD_POINTS * CONTACT numbers from `offset` on
 * @returns how many contacts, at least one
 */
export function contactManifold(pair: Pair, out: Float64Array, offset: number): number {
  setAxes(pair);
  sampleFeature(pair, false, axes, featureA);
  sampleFeature(pair, true, axes, featureB);
  const count = cutFeatures(pair.touching);
  let written = 0;
  for (let i = 0; i < count && written < MOST_MANIFOLD_POINTS; i++) {
    writeContact(cut[2 * i]!, cut[2 * i + 1]!, out, offset + CONTACT * written++);
  }
  if (written > 0) return written;
  // The features miss each other: an edge of one beside a face of the other. The contact's own points remain.
  for (let k = 0; k < 3; k++) out[offset + k] = (pair.pointA[k]! + pair.pointB[k]!) / 2;
  out[offset + 3] = pair.distance;
  return 1;
}

/** u, v across the normal; origin halfway between the points. */
function setAxes(pair: Pair): void {
  const [x, y, z] = [pair.normal[0]!, pair.normal[1]!, pair.normal[2]!];
  const [ex, ey, ez] = axisAcross(x, y, z);
  let [ux, uy, uz] = [ey * z - ez * y, ez * x - ex * z, ex * y - ey * x];
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  ux /= length;
  uy /= length;
  uz /= length;
  axes[0] = ux;
  axes[1] = uy;
  axes[2] = uz;
  axes[3] = y * uz - z * uy;
  axes[4] = z * ux - x * uz;
  axes[5] = x * uy - y * ux;
  axes[6] = x;
  axes[7] = y;
  axes[8] = z;
  for (let k = 0; k < 3; k++) axes[9 + k] = (pair.pointA[k]! + pair.pointB[k]!) / 2;
}

function writeContact(u: number, v: number, out: Float64Array, o: number): void {
  const a = featureA.slope[0]! * u + featureA.slope[1]! * v + featureA.slope[2]!;
  const b = featureB.slope[0]! * u + featureB.slope[1]! * v + featureB.slope[2]!;
  const h = (a + b) / 2;
  for (let k = 0; k < 3; k++) out[o + k] = axes[9 + k]! + u * axes[k]! + v * axes[3 + k]! + h * axes[6 + k]!;
  out[o + 3] = b - a;
}

/** Common points of both features into `cut`; how many. */
function cutFeatures(same: number): number {
  const [clip, subject] = featureA.count >= featureB.count ? [featureA, featureB] : [featureB, featureA];
  for (let i = 0; i < subject.count; i++) {
    cut[2 * i] = subject.vertices[3 * i]!;
    cut[2 * i + 1] = subject.vertices[3 * i + 1]!;
  }
  if (subject.count === 1) return 1;
  if (clip.count === 2) return crossSegments(clip.vertices, same);
  let count = subject.count;
  for (let i = 0; i < clip.count && count > 0; i++) {
    const j = i + 1 === clip.count ? 0 : i + 1;
    const v = clip.vertices;
    count = cutByLine(count, v[3 * i]!, v[3 * i + 1]!, v[3 * j]!, v[3 * j + 1]!, same);
  }
  return count;
}

/** Keeps what lies left of a line; the segment of two points is walked once, a polygon around. */
function cutByLine(count: number, au: number, av: number, bu: number, bv: number, same: number): number {
  const du = bu - au;
  const dv = bv - av;
  const length = Math.sqrt(du * du + dv * dv);
  const edges = count === 2 ? 1 : count;
  let kept = 0;
  const keep = (u: number, v: number) => {
    if (kept > 0 && Math.abs(next[2 * kept - 2]! - u) <= same && Math.abs(next[2 * kept - 1]! - v) <= same)
      return;
    next[2 * kept] = u;
    next[2 * kept + 1] = v;
    kept++;
  };
  const sideOf = (i: number) => (du * (cut[2 * i + 1]! - av) - dv * (cut[2 * i]! - au)) / length;
  for (let i = 0; i < edges; i++) {
    const j = i + 1 === count ? 0 : i + 1;
    const p = sideOf(i);
    const q = sideOf(j);
    // Corners on the line, to rounding, stay: features that end in one line are cut there, not away.
    if (p >= -same) keep(cut[2 * i]!, cut[2 * i + 1]!);
    if ((p < -same && q > same) || (p > same && q < -same)) {
      const t = p / (p - q);
      keep(
        cut[2 * i]! + t * (cut[2 * j]! - cut[2 * i]!),
        cut[2 * i + 1]! + t * (cut[2 * j + 1]! - cut[2 * i + 1]!),
      );
    }
    if (edges === 1 && q >= -same) keep(cut[2 * j]!, cut[2 * j + 1]!);
  }
  if (
    kept > 2 &&
    Math.abs(next[0]! - next[2 * kept - 2]!) <= same &&
    Math.abs(next[1]! - next[2 * kept - 1]!) <= same
  ) {
    kept--;
  }
  cut.set(next.subarray(0, 2 * kept));
  return kept;
}

/** Two segments: the common part of parallel ones, else where their lines cross. */
function crossSegments(other: Float64Array, same: number): number {
  const [au, av] = [cut[0]!, cut[1]!];
  const [du, dv] = [cut[2]! - au, cut[3]! - av];
  const [eu, ev] = [other[3]! - other[0]!, other[4]! - other[1]!];
  const cross = du * ev - dv * eu;
  const d2 = du * du + dv * dv;
  const e2 = eu * eu + ev * ev;
  const wu = other[0]! - au;
  const wv = other[1]! - av;
  // Parallel if they part by less than a feature's least width over their length.
  if (Math.abs(cross) <= 2 ** -7 * Math.sqrt(d2 * e2)) {
    const s = (wu * du + wv * dv) / d2;
    const t = s + (eu * du + ev * dv) / d2;
    const from = Math.max(0, Math.min(s, t));
    const to = Math.min(1, Math.max(s, t));
    if (from > to + same / Math.sqrt(d2)) return 0;
    cut[0] = au + from * du;
    cut[1] = av + from * dv;
    cut[2] = au + to * du;
    cut[3] = av + to * dv;
    return to - from > same / Math.sqrt(d2) ? 2 : 1;
  }
  const s = Math.min(1, Math.max(0, (wu * ev - wv * eu) / cross));
  cut[0] = au + s * du;
  cut[1] = av + s * dv;
  return 1;
}
