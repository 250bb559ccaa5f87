// Contact manifold by perturbed sampling: L. Olvang (2010), section 2.6. The features of both shapes at the contact are
// projected onto its plane and cut with each other.
//
// Departure: features are cut by half planes (cut-polygon.ts), segments and points too. The thesis tests corners
// against the other polygon and edges against edges; by its own account this gives false corners.
//
// Twin: shaders/convex/manifold/sampled-manifold.wgsl.
import { MOST_MANIFOLD_POINTS } from '../constants.ts';
import type { Pair } from '../pair/pair.ts';
import { CONTACT, setPlane, writeContact } from './contact-plane.ts';
import { CutPolygon } from './cut-polygon.ts';
import { Feature } from './feature.ts';
import { sampleFeature } from './sampled-feature.ts';

const featureA = new Feature();
const featureB = new Feature();
const plane = new Float64Array(12);
const cut = new CutPolygon();

/**
 * Contacts of a pair whose normal and points are known, in A's frame: up to MOST_MANIFOLD_POINTS * CONTACT numbers from
 * `offset` on.
 *
 * @returns how many contacts, at least one
 */
export function sampledManifold(pair: Pair, out: Float64Array, offset: number): number {
  setPlane(pair, plane);
  sampleFeature(pair, false, plane, featureA);
  sampleFeature(pair, true, plane, featureB);
  cutFeatures(pair.touching);
  const count = Math.min(cut.count, MOST_MANIFOLD_POINTS);
  for (let i = 0; i < count; i++) {
    const [u, v] = [cut.points[2 * i]!, cut.points[2 * i + 1]!];
    const a = featureA.slope[0]! * u + featureA.slope[1]! * v + featureA.slope[2]!;
    const b = featureB.slope[0]! * u + featureB.slope[1]! * v + featureB.slope[2]!;
    writeContact(plane, u, v, a, b, out, offset + CONTACT * i);
  }
  if (count > 0) return count;
  // The features miss each other, as an edge of one beside a face of the other. The contact's own points remain.
  writeContact(plane, 0, 0, -pair.distance / 2, pair.distance / 2, out, offset);
  return 1;
}

/** Common points of both features. */
function cutFeatures(same: number): void {
  const [clip, subject] = featureA.count >= featureB.count ? [featureA, featureB] : [featureB, featureA];
  cut.start(subject);
  if (subject.count === 1) return;
  if (clip.count === 2) crossSegments(clip.vertices, same);
  else cut.cutByPolygon(clip, same);
}

/** Cuts two segments: keeps the common part of parallel ones, else the point where their lines cross. */
function crossSegments(other: Float64Array, same: number): void {
  const { points } = cut;
  const [au, av] = [points[0]!, points[1]!];
  const [du, dv] = [points[2]! - au, points[3]! - av];
  const [eu, ev] = [other[3]! - other[0]!, other[4]! - other[1]!];
  const cross = du * ev - dv * eu;
  const d2 = du * du + dv * dv;
  const e2 = eu * eu + ev * ev;
  const wu = other[0]! - au;
  const wv = other[1]! - av;
  // They count as parallel if they part by less than a feature's least width over their length.
  if (Math.abs(cross) <= 2 ** -7 * Math.sqrt(d2 * e2)) {
    const s = (wu * du + wv * dv) / d2;
    const t = s + (eu * du + ev * dv) / d2;
    const from = Math.max(0, Math.min(s, t));
    const to = Math.min(1, Math.max(s, t));
    cut.count = to - from > same / Math.sqrt(d2) ? 2 : 1;
    if (from > to + same / Math.sqrt(d2)) cut.count = 0;
    points[0] = au + from * du;
    points[1] = av + from * dv;
    points[2] = au + to * du;
    points[3] = av + to * dv;
    return;
  }
  const s = Math.min(1, Math.max(0, (wu * ev - wv * eu) / cross));
  points[0] = au + s * du;
  points[1] = av + s * dv;
  cut.count = 1;
}
