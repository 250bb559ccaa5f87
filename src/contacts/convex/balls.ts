/** The contact of two balls. */
import { ContactStatus } from '../list/contact-arrays.ts';
import type { FoundContact } from '../list/contact-sink.ts';

/**
 * Sets normal, distance and place, which is halfway between both surfaces and seen from A's centre. Of balls with one
 * centre the normal is x.
 *
 * @param way from A's centre to B's
 * @param squared its squared length
 */
export function setContactOfBalls(
  found: FoundContact,
  way: Float64Array,
  squared: number,
  radiusA: number,
  radiusB: number,
): void {
  const length = Math.sqrt(squared);
  const distance = length - (radiusA + radiusB);
  const isKnown = length > 0;
  const nx = isKnown ? way[0]! / length : 1;
  const ny = isKnown ? way[1]! / length : 0;
  const nz = isKnown ? way[2]! / length : 0;
  const reach = radiusA + distance / 2;
  found.nx = nx;
  found.ny = ny;
  found.nz = nz;
  found.px = reach * nx;
  found.py = reach * ny;
  found.pz = reach * nz;
  found.distance = distance;
  found.status = ContactStatus.sure;
  found.feature = 0;
  found.area = 0;
}
