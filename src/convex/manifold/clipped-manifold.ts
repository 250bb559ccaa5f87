// Contact manifold by cutting whole faces. The face of each shape that faces the other one along the contact's normal
// (supporting-face.ts) is projected onto the contact's plane. Both are cut with each other, and by the line up to which
// the shapes overlap. Both surfaces are known exactly there. So every contact's distance is that of the surfaces along
// the normal. docs/convex.md, "Contacts", has the rules.
// Twin: shaders/convex/manifold/clipped-manifold.wgsl.
import { FACING_SINE, MANIFOLD_RESOLUTION } from '../constants.ts';
import type { Pair } from '../pair/pair.ts';
import { CONTACT, setPlane, writeContact } from './contact-plane.ts';
import { CutLine, CutPolygon } from './cut-polygon.ts';
import {
  closeFeature,
  doubleArea,
  Feature,
  SupportingFace,
  setHeight,
  setSlope,
  simplify,
} from './feature.ts';
import { meetInPoint } from './meet-in-point.ts';
import { spanningContacts } from './spanning-contacts.ts';
import { supportingFace } from './supporting-face.ts';

const face = new SupportingFace();
const featureA = new Feature();
const featureB = new Feature();
const plane = new Float64Array(12);
/**
 * A polygon's normal: along u, v and the contact's normal. In an array, as engines put float64 arguments on the heap.
 */
const tilt = new Float64Array(3);
const cut = new CutPolygon();
/** u, v, heights of A and of B. */
const found = new Float64Array(CONTACT * (cut.points.length / 2 + 1));
/** The name of each. */
const foundNames = new Uint32Array(cut.points.length / 2 + 1);
/** Names of the contacts that the pair's own point, and the ends of a line beside a line have. */
const OWN = 0;
const FIRST_END = 1;
/** Names of a cut polygon's corners begin here. */
const FIRST_CORNER = 4;

/**
 * Contacts of a pair whose normal and points are known, in A's frame: up to MOST_CLIPPED_POINTS * CONTACT numbers from
 * `offset` on.
 *
 * @param reach distance up to which there are contacts
 * @param names gets a name for each, below 32: 0 for the pair's own point, 1 and 2 for the ends of two lines that lie
 * beside each other, others for corners of the patch, by the edge of a face that bounds it behind the corner. Names of
 * one pair differ, and last as long as the same faces face each other and the same edges bound the patch.
 * @returns how many contacts, at least one
 */
export function clippedManifold(
  pair: Pair,
  reach: number,
  out: Float64Array,
  offset: number,
  names?: Uint32Array,
): number {
  if (meetInPoint(pair)) {
    for (let k = 0; k < 3; k++) out[offset + k] = (pair.pointA[k]! + pair.pointB[k]!) / 2;
    out[offset + 3] = pair.distance;
    if (names !== undefined) names[0] = OWN;
    return 1;
  }
  setPlane(pair, plane);
  const near = MANIFOLD_RESOLUTION * pair.size;
  const radiusA = setFeature(pair, false, near, featureA);
  const radiusB = featureA.count > 1 ? setFeature(pair, true, near, featureB) : 0;
  const most = Math.max(pair.distance, reach) + pair.touching;
  let count = 0;
  if (featureA.count > 1 && featureB.count > 1) {
    count =
      featureA.count === 2 && featureB.count === 2
        ? meetLines(radiusA, radiusB, most, near)
        : cutFaces(pair, most, near);
  }
  // The deepest place is the pair's own, unless a contact is as deep.
  const deep = pair.distance + near;
  let isDeep = false;
  for (let i = 0; i < count; i++) isDeep ||= found[CONTACT * i + 3]! - found[CONTACT * i + 2]! <= deep;
  if (!isDeep) addFound(count++, 0, 0, -pair.distance / 2, pair.distance / 2, OWN);
  const kept = spanningContacts(found, count, deep, near);
  for (let i = 0; i < kept.count; i++) {
    const c = CONTACT * kept.chosen[i]!;
    writeContact(plane, found[c]!, found[c + 1]!, found[c + 2]!, found[c + 3]!, out, offset + CONTACT * i);
    if (names !== undefined) names[i] = foundNames[kept.chosen[i]!]!;
  }
  return kept.count;
}

function addFound(i: number, u: number, v: number, a: number, b: number, name: number): void {
  foundNames[i] = name;
  found[CONTACT * i] = u;
  found[CONTACT * i + 1] = v;
  found[CONTACT * i + 2] = a;
  found[CONTACT * i + 3] = b;
}

/**
 * Sets the feature of A or of B that faces the other, over the contact's plane. Returns the radius of curvature across
 * a line.
 */
function setFeature(pair: Pair, ofB: boolean, near: number, out: Feature): number {
  const r = pair.placement;
  const sign = ofB ? -1 : 1;
  const x = sign * plane[6]!;
  const y = sign * plane[7]!;
  const z = sign * plane[8]!;
  if (ofB) {
    const lx = r[0]! * x + r[3]! * y + r[6]! * z;
    const ly = r[1]! * x + r[4]! * y + r[7]! * z;
    const lz = r[2]! * x + r[5]! * y + r[8]! * z;
    supportingFace(pair.table, pair.shapeB, lx, ly, lz, face, pair.vertexB);
  } else {
    supportingFace(pair.table, pair.shapeA, x, y, z, face, pair.vertexA);
  }
  out.count = 0;
  const { vertices } = out;
  const { points } = face;
  for (let i = 0; i < face.count; i++) {
    const fx = points[3 * i]!;
    const fy = points[3 * i + 1]!;
    const fz = points[3 * i + 2]!;
    // Into A's frame.
    const px = (ofB ? r[0]! * fx + r[1]! * fy + r[2]! * fz + r[9]! : fx) - plane[9]!;
    const py = (ofB ? r[3]! * fx + r[4]! * fy + r[5]! * fz + r[10]! : fy) - plane[10]!;
    const pz = (ofB ? r[6]! * fx + r[7]! * fy + r[8]! * fz + r[11]! : fz) - plane[11]!;
    const u = plane[0]! * px + plane[1]! * py + plane[2]! * pz;
    const v = plane[3]! * px + plane[4]! * py + plane[5]! * pz;
    const o = 3 * out.count;
    if (o > 0 && Math.abs(vertices[o - 3]! - u) <= near && Math.abs(vertices[o - 2]! - v) <= near) continue;
    vertices[o] = u;
    vertices[o + 1] = v;
    vertices[o + 2] = plane[6]! * px + plane[7]! * py + plane[8]! * pz;
    out.count++;
  }
  closeFeature(out, near);
  if (out.count < 2) return 0;
  simplify(out, near);
  const margin = ofB ? pair.marginB : pair.marginA;
  if (out.count === 2) {
    setLine(out, sign * margin);
  } else if (out.count > 2) {
    const fx = face.normal[0]!;
    const fy = face.normal[1]!;
    const fz = face.normal[2]!;
    const nx = ofB ? r[0]! * fx + r[1]! * fy + r[2]! * fz : fx;
    const ny = ofB ? r[3]! * fx + r[4]! * fy + r[5]! * fz : fy;
    const nz = ofB ? r[6]! * fx + r[7]! * fy + r[8]! * fz : fz;
    for (let k = 0; k < 3; k++) {
      tilt[k] = plane[3 * k]! * nx + plane[3 * k + 1]! * ny + plane[3 * k + 2]! * nz;
    }
    setPolygon(out, margin, near);
  }
  return face.radius + margin;
}

/** Moves a core's line out to the surface, across the line: the ball of the margin reaches highest there. */
function setLine(out: Feature, margin: number): void {
  const { vertices: v } = out;
  const [du, dv, dh] = [v[3]! - v[0]!, v[4]! - v[1]!, v[5]! - v[2]!];
  const level = du * du + dv * dv;
  // The normal without its part along the line is (-dh du, -dh dv, level), to a factor.
  const s = margin / Math.sqrt(level * (level + dh * dh));
  for (const o of [0, 3]) {
    v[o]! -= s * dh * du;
    v[o + 1]! -= s * dh * dv;
    v[o + 2]! += s * level;
  }
  setSlope(out);
}

/**
 * Moves a core's face out to the surface, along its normal `tilt`, and turns it counter-clockwise as seen against
 * the contact's normal. The corners that reach highest move along the contact's normal, since the ball of the margin
 * does so there.
 */
function setPolygon(out: Feature, margin: number, near: number): void {
  const { vertices, count, slope } = out;
  const u = tilt[0]!;
  const v = tilt[1]!;
  const n = tilt[2]!;
  const sign = n < 0 ? -1 : 1;
  slope[0] = -u / n;
  slope[1] = -v / n;
  setHeight(out);
  if (margin > 0) {
    slope[2]! += margin * (n + (u * u + v * v) / n);
    let highest = -Infinity;
    for (let i = 0; i < count; i++) highest = Math.max(highest, sign * vertices[3 * i + 2]!);
    for (let i = 0; i < count; i++) {
      if (sign * vertices[3 * i + 2]! >= highest - near) continue;
      vertices[3 * i]! += margin * u;
      vertices[3 * i + 1]! += margin * v;
    }
  }
  if (doubleArea(out) >= 0) return;
  for (let i = 0, j = count - 1; i < j; i++, j--) {
    for (let k = 0; k < 3; k++) {
      const kept = vertices[3 * i + k]!;
      vertices[3 * i + k] = vertices[3 * j + k]!;
      vertices[3 * j + k] = kept;
    }
  }
}

/**
 * Cuts a polygon or a line by a polygon, as far as distances are no larger than `most`. Returns the number of contacts.
 */
function cutFaces(pair: Pair, most: number, near: number): number {
  const clipsByA = featureA.count >= featureB.count;
  cut.start(clipsByA ? featureB : featureA, clipsByA ? CutLine.ofB : 0);
  cut.cutByPolygon(clipsByA ? featureA : featureB, near, clipsByA ? 0 : CutLine.ofB);
  const [a, b] = [featureA.slope, featureB.slope];
  const { line } = cut;
  line[0] = a[0]! - b[0]!;
  line[1] = a[1]! - b[1]!;
  line[2] = most + a[2]! - b[2]!;
  line[3] = 0;
  line[4] = near;
  cut.cut(CutLine.reach);
  // A rounded surface bends away from its face's plane before it reaches higher than the pair's point.
  const level = most - pair.distance / 2;
  if (pair.marginA > 0) {
    line[0] = -b[0]!;
    line[1] = -b[1]!;
    line[2] = level - b[2]!;
    cut.cut(CutLine.roundA);
  }
  if (pair.marginB > 0) {
    line[0] = a[0]!;
    line[1] = a[1]!;
    line[2] = level + a[2]!;
    cut.cut(CutLine.roundB);
  }
  for (let i = 0; i < cut.count; i++) {
    const u = cut.points[2 * i]!;
    const v = cut.points[2 * i + 1]!;
    const heightA = a[0]! * u + a[1]! * v + a[2]!;
    const heightB = b[0]! * u + b[1]! * v + b[2]!;
    foundNames[i] = FIRST_CORNER + cut.lines[i]!;
    found[CONTACT * i] = u;
    found[CONTACT * i + 1] = v;
    found[CONTACT * i + 2] = pair.marginA > 0 ? Math.min(heightA, -pair.distance / 2) : heightA;
    found[CONTACT * i + 3] = pair.marginB > 0 ? Math.max(heightB, pair.distance / 2) : heightB;
  }
  return cut.count;
}

/**
 * Finds the ends of the part in which two lines run beside each other. There they are no farther apart than round
 * surfaces that still face each other. Lines that cross have none: their only contact is the pair's own.
 */
function meetLines(radiusA: number, radiusB: number, most: number, near: number): number {
  const [a, b] = [featureA.vertices, featureB.vertices];
  const length = Math.sqrt((a[3]! - a[0]!) ** 2 + (a[4]! - a[1]!) ** 2);
  const [du, dv] = [(a[3]! - a[0]!) / length, (a[4]! - a[1]!) / length];
  const [eu, ev] = [b[3]! - b[0]!, b[4]! - b[1]!];
  const along = du * eu + dv * ev;
  const across = du * ev - dv * eu;
  if (Math.abs(across) > FACING_SINE * Math.abs(along)) return 0;
  // Places are lengths along A's line. The way across to B's line is `start + turn * place`.
  const place = du * (b[0]! - a[0]!) + dv * (b[1]! - a[1]!);
  const turn = across / along;
  const start = du * (b[1]! - a[1]!) - dv * (b[0]! - a[0]!) - turn * place;
  let low = Math.max(0, Math.min(place, place + along));
  let high = Math.min(length, Math.max(place, place + along));
  const both = radiusA + radiusB;
  const widest = FACING_SINE * both + near;
  if (turn !== 0) {
    const [p, q] = [(widest - start) / turn, (-widest - start) / turn];
    low = Math.max(low, Math.min(p, q));
    high = Math.min(high, Math.max(p, q));
  } else if (Math.abs(start) > widest) return 0;
  if (high - low <= near) return 0;
  const own = Math.min(high, Math.max(low, -(a[0]! * du + a[1]! * dv)));
  const at = (i: number, s: number): number => {
    const w = start + turn * s;
    // Circles beside each other touch where their radii divide the way across.
    const wa = both > 0 ? (w * radiusA) / both : w / 2;
    const wb = w - wa;
    const [u, v] = [a[0]! + s * du - wa * dv, a[1]! + s * dv + wa * du];
    const heightA = a[2]! + ((a[5]! - a[2]!) * s) / length - drop(radiusA, wa);
    const heightB = b[2]! + ((b[5]! - b[2]!) * (s - place)) / along + drop(radiusB, wb);
    addFound(i, u, v, heightA, heightB, FIRST_END + i);
    return heightB - heightA;
  };
  let count = 0;
  for (const end of [low, high]) {
    const found = at(count, end);
    // The distance is a convex function of the place: where its chord reaches `most`, it is no larger.
    if (found > most) {
      const there = at(count, own);
      // Sampled lines may pass each other beside the pair's own point.
      if (there > most) return 0;
      at(count, own + ((end - own) * (most - there)) / (found - there));
    }
    count++;
  }
  return Math.hypot(found[0]! - found[4]!, found[1]! - found[5]!) <= near ? 1 : 2;
}

/** How far a circle lies below its highest point, at this distance beside it. */
function drop(radius: number, beside: number): number {
  return radius > 0
    ? (beside * beside) / (radius + Math.sqrt(Math.max(0, radius * radius - beside * beside)))
    : 0;
}
