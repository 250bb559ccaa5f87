/** Shapes that are balls: spheres, points under margins, and ellipsoids of three equal radii. */
import { PARAMETERS, Parameter, type ShapeArrays } from '../../convex/shapes/records.ts';

/** True where a record's core is a point. */
export function isBall({ parameters: p }: ShapeArrays, record: number): boolean {
  const at = PARAMETERS * record;
  return p[at + Parameter.boundingRadius]! === p[at + Parameter.margin]!;
}
