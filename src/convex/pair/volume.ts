// The volume of a tetrahedron, with an exact sign.
import { orient3d } from 'robust-predicates';

/**
 * Six times the volume of the tetrahedron of four points, x, y, z each from these places of an array on. Its sign is
 * exact: negative if the fourth point sees the other three counter-clockwise, 0 if all lie in one plane.
 */
export function volumeOf(points: Float64Array, a: number, b: number, c: number, d: number): number {
  return orient3d(
    points[a]!,
    points[a + 1]!,
    points[a + 2]!,
    points[b]!,
    points[b + 1]!,
    points[b + 2]!,
    points[c]!,
    points[c + 1]!,
    points[c + 2]!,
    points[d]!,
    points[d + 1]!,
    points[d + 2]!,
  );
}
