// What tells pairs apart before anything is known of them but where they are.
import { SPHERES_APART } from '../constants.ts';
import { PARAMETERS, type ShapeRecords } from './records.ts';

/** Place of a sphere's radius and of its centre in a record. */
const RADIUS = 14;
const CENTRE = 17;

/**
 * Whether the bounding spheres of two shapes prove them apart, by more than the touching tolerance.
 *
 * @param placedA rotation by rows and position, twelve numbers from `a` on
 */
export function areSpheresApart(
  { parameters: p }: ShapeRecords,
  shapeA: number,
  placedA: Float64Array,
  a: number,
  shapeB: number,
  placedB: Float64Array,
  b: number,
): boolean {
  const recordA = PARAMETERS * shapeA;
  const recordB = PARAMETERS * shapeB;
  const ax = p[recordA + CENTRE]!;
  const ay = p[recordA + CENTRE + 1]!;
  const az = p[recordA + CENTRE + 2]!;
  const bx = p[recordB + CENTRE]!;
  const by = p[recordB + CENTRE + 1]!;
  const bz = p[recordB + CENTRE + 2]!;
  let squared = 0;
  for (let k = 0; k < 3; k++) {
    const o = 3 * k;
    const d =
      placedB[b + 9 + k]! -
      placedA[a + 9 + k]! +
      (placedB[b + o]! * bx + placedB[b + o + 1]! * by + placedB[b + o + 2]! * bz) -
      (placedA[a + o]! * ax + placedA[a + o + 1]! * ay + placedA[a + o + 2]! * az);
    squared += d * d;
  }
  const radii = SPHERES_APART * (p[recordA + RADIUS]! + p[recordB + RADIUS]!);
  return squared > radii * radii;
}
