/** Lengths of the pieces of sharp edges, which contacts tell by their numbers. */
import { type Colliders, NO_POLYHEDRON } from '../../contacts/bodies/colliders.ts';
import type { PolyhedronArrays } from '../../contacts/field/field-arrays.ts';

/** A function that gives half the length of a piece of a body's part. */
export function halfPieces(
  { bodies, polyhedra: numbers, count }: Colliders,
  polyhedra: readonly PolyhedronArrays[],
): (body: number, part: number, piece: number) => number {
  const first = new Map<number, number>();
  for (let c = count - 1; c >= 0; c--) first.set(bodies[c]!, c);
  const lengths = polyhedra.map(({ surface: { edges } }) =>
    Float64Array.from({ length: edges.length / 6 }, (_, n) => {
      const [a, b] = [edges.subarray(6 * n, 6 * n + 3), edges.subarray(6 * n + 3, 6 * n + 6)];
      return Math.hypot(b[0]! - a[0]!, b[1]! - a[1]!, b[2]! - a[2]!) / 2;
    }),
  );
  return (body, part, piece) => {
    const polyhedron = numbers[first.get(body)! + part]!;
    return polyhedron === NO_POLYHEDRON ? 0 : lengths[polyhedron]![piece]!;
  };
}
