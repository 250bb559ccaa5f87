/** How strongly surfaces of a pair pull at each other. */
import { ContactKind } from '../../contacts/list/contact-arrays.ts';
import type { BodyLaws, ShiftedContacts } from '../forces/body-laws.ts';
import { type ContactGroups, RANGE_WORDS } from '../forces/groups.ts';
import { PairNumber } from '../materials/materials.ts';

/**
 * Cohesion times the area that a group touches with, a force: of nodes half of what they stand for where both bodies
 * have some, of points that lie apart the area of the polygon that they span, of one point Hertz's pi R d.
 *
 * @param contacts all of them, before some are chosen
 */
export function pullOf(
  contacts: ShiftedContacts,
  { ranges }: ContactGroups,
  group: number,
  { pairs, curvatures }: Pick<BodyLaws, 'pairs' | 'curvatures'>,
  numbers: number,
): number {
  const cohesion = pairs.numbers[numbers + PairNumber.cohesion]!;
  if (cohesion === 0) return 0;
  const [first, end] = [ranges[RANGE_WORDS * group]!, ranges[RANGE_WORDS * group + 1]!];
  const { areas, bodies, kinds, distances } = contacts;
  if (first === end) return 0;
  const sum = areas.subarray(first, end).reduce((all, area) => all + area, 0);
  if (sum > 0) return (cohesion * sum) / (kinds[first] === ContactKind.node ? 2 : 1);
  if (end - first > 2) return cohesion * spanned(contacts, first, end);
  const of = (body: number) => (curvatures[body]! > 0 ? 1 / curvatures[body]! : 0);
  const curvature = of(bodies[2 * first]!) + of(bodies[2 * first + 1]!);
  const depth = distances.subarray(first, end).reduce((all, distance) => all - distance, 0);
  return curvature > 0 ? (cohesion * Math.PI * depth) / curvature : 0;
}

/** Area that some places span, seen along their first normal: in the order of their angles about the middle. */
function spanned({ points, normals }: ShiftedContacts, first: number, end: number): number {
  const count = end - first;
  const [nx, ny, nz] = normals.subarray(3 * first, 3 * first + 3) as unknown as [number, number, number];
  const middle = [0, 0, 0];
  for (let i = first; i < end; i++) for (let k = 0; k < 3; k++) middle[k]! += points[3 * i + k]! / count;
  const axis = Math.abs(nx) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const along = [ny * axis[2]! - nz * axis[1]!, nz * axis[0]! - nx * axis[2]!, nx * axis[1]! - ny * axis[0]!];
  const length = Math.hypot(...along);
  const across = [
    ny * along[2]! - nz * along[1]!,
    nz * along[0]! - nx * along[2]!,
    nx * along[1]! - ny * along[0]!,
  ];
  const places = Array.from({ length: count }, (_, j) => {
    const of = (direction: readonly number[]) =>
      direction.reduce((sum, d, k) => sum + (d * (points[3 * (first + j) + k]! - middle[k]!)) / length, 0);
    return [of(along), of(across)] as const;
  }).sort(([x, y], [u, v]) => Math.atan2(y, x) - Math.atan2(v, u));
  return Math.abs(
    places.reduce((sum, [x, y], j) => {
      const [u, v] = places[(j + 1) % count]!;
      return sum + (x * v - y * u) / 2;
    }, 0),
  );
}
