/** Lengths of the pieces of sharp edges, which contacts tell by their numbers. */
import { type Colliders, NO_POLYHEDRON } from '../../contacts/bodies/colliders.ts';
import type { PolyhedronArrays } from '../../contacts/field/field-arrays.ts';

/** The first collider of each body. */
export function firstColliders({ bodies, count }: Colliders): Map<number, number> {
  const first = new Map<number, number>();
  for (let c = count - 1; c >= 0; c--) first.set(bodies[c]!, c);
  return first;
}

/** Half the length of each piece of a polyhedron's sharp edges. */
export function halfLengths({ surface: { edges } }: PolyhedronArrays): Float64Array {
  return Float64Array.from({ length: edges.length / 6 }, (_, n) => {
    const [a, b] = [edges.subarray(6 * n, 6 * n + 3), edges.subarray(6 * n + 3, 6 * n + 6)];
    return Math.hypot(b[0]! - a[0]!, b[1]! - a[1]!, b[2]! - a[2]!) / 2;
  });
}

/**
 * A function that gives half the length of a piece of a body's part.
 *
 * @param copies colliders' bodies are copies of bodies, so many of each
 */
export function halfPieces(
  colliders: Colliders,
  polyhedra: readonly PolyhedronArrays[],
  copies = 1,
): (body: number, part: number, piece: number) => number {
  const first = firstColliders(colliders);
  const lengths = polyhedra.map(halfLengths);
  return (body, part, piece) => {
    const polyhedron = colliders.polyhedra[first.get(copies * body)! + part]!;
    return polyhedron === NO_POLYHEDRON ? 0 : lengths[polyhedron]![piece]!;
  };
}
