/** Balls: shapes that are one, and those around shapes. */
import { SPHERES_APART } from '../../convex/constants.ts';
import { PARAMETERS, Parameter, type PlacedRecord, type ShapeArrays } from '../../convex/shapes/records.ts';
import { ContactStatus } from '../list/contact-arrays.ts';
import type { FoundContact } from '../list/contact-sink.ts';

const way = new Float64Array(3);

/** The way from A's centre to B's, into `way`. Returns its squared length. */
function setWay({ parameters: p }: ShapeArrays, a: PlacedRecord, b: PlacedRecord): number {
  const ca = PARAMETERS * a.record + Parameter.centre;
  const cb = PARAMETERS * b.record + Parameter.centre;
  const f = a.frames;
  const g = b.frames;
  let squared = 0;
  for (let k = 0; k < 3; k++) {
    const i = a.at + 3 * k;
    const j = b.at + 3 * k;
    const toB = g[j]! * p[cb]! + g[j + 1]! * p[cb + 1]! + g[j + 2]! * p[cb + 2]!;
    const toA = f[i]! * p[ca]! + f[i + 1]! * p[ca + 1]! + f[i + 2]! * p[ca + 2]!;
    const d = g[b.at + 9 + k]! - f[a.at + 9 + k]! + (toB - toA);
    way[k] = d;
    squared += d * d;
  }
  return squared;
}

/** True if the balls around both shapes are apart. */
export function ballsApart(shapes: ShapeArrays, a: PlacedRecord, b: PlacedRecord): boolean {
  const p = shapes.parameters;
  const { boundingRadius } = Parameter;
  const radii = p[PARAMETERS * a.record + boundingRadius]! + p[PARAMETERS * b.record + boundingRadius]!;
  return setWay(shapes, a, b) > (SPHERES_APART * radii) ** 2;
}

/**
 * Signed distance of two balls. If they meet, `found` gets their contact: halfway between both surfaces. Of balls with
 * one centre the normal is x.
 */
export function ballsDistance(
  shapes: ShapeArrays,
  a: PlacedRecord,
  b: PlacedRecord,
  found: FoundContact,
): number {
  const p = shapes.parameters;
  const radiusA = p[PARAMETERS * a.record + Parameter.margin]!;
  const radiusB = p[PARAMETERS * b.record + Parameter.margin]!;
  const squared = setWay(shapes, a, b);
  const radii = radiusA + radiusB;
  if (squared > radii * radii) return Infinity;
  const length = Math.sqrt(squared);
  const distance = length - radii;
  const isKnown = length > 0;
  found.nx = isKnown ? way[0]! / length : 1;
  found.ny = isKnown ? way[1]! / length : 0;
  found.nz = isKnown ? way[2]! / length : 0;
  const reach = radiusA + distance / 2;
  // A ball's centre is the origin of its frame.
  found.px = a.frames[a.at + 9]! + reach * found.nx;
  found.py = a.frames[a.at + 10]! + reach * found.ny;
  found.pz = a.frames[a.at + 11]! + reach * found.nz;
  found.status = ContactStatus.sure;
  found.feature = 0;
  found.distance = distance;
  found.area = 0;
  return distance;
}
