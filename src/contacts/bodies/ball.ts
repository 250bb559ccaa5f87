/** Shapes that are balls: spheres, points under margins, and ellipsoids of three equal radii. */
import { PARAMETERS, Parameter, type ShapeArrays } from '../../convex/shapes/records.ts';
import { ColliderKind, type Colliders } from './colliders.ts';

/** True where a record's core is a point. */
export function isBall({ parameters: p }: ShapeArrays, record: number): boolean {
  const at = PARAMETERS * record;
  return p[at + Parameter.boundingRadius]! === p[at + Parameter.margin]!;
}

/** Whether all convex colliders are balls. */
export function areBalls(
  table: ShapeArrays,
  { count, kinds, shapes }: Pick<Colliders, 'count' | 'kinds' | 'shapes'>,
): boolean {
  for (let c = 0; c < count; c++) {
    if (kinds[c] === ColliderKind.convex && !isBall(table, shapes[c]!)) return false;
  }
  return true;
}
