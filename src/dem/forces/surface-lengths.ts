/** Lengths of polyhedra's surfaces, which forces need beside the contacts' own numbers. */
import { type Colliders, NO_POLYHEDRON } from '../../contacts/bodies/colliders.ts';
import type { PolyhedronArrays } from '../../contacts/field/field-arrays.ts';

/** By bodies and their parts. */
export interface SurfaceLengths {
  /** Half the length of a piece of the part's sharp edges. */
  readonly halfPiece: (body: number, part: number, piece: number) => number;
  /** As `nodeSpacing` below. */
  readonly spacing: (body: number, part: number) => number;
}

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

/** Side of a square as large as the area that a node stands for, as a point of the surface finds it on average. */
export function nodeSpacing({ surface: { weights, area } }: PolyhedronArrays): number {
  return Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0) / area);
}

/**
 * The part of the foundation that the nodes of one side stand for; the other side's stand for the rest. What n nodes
 * find in a patch is off by those of its rim: its square by rim spacing^3. The sum of both sides is off by the least
 * where each counts by the inverse of that. It is the same in all poses, so the force stays the gradient of an energy.
 */
export function nodeShare(ownSpacing: number, otherSpacing: number): number {
  return 1 / (1 + (ownSpacing / otherSpacing) ** 3);
}

/** @param copies colliders' bodies are copies of bodies, so many of each */
export function surfaceLengths(
  colliders: Colliders,
  polyhedra: readonly PolyhedronArrays[],
  copies = 1,
): SurfaceLengths {
  const first = firstColliders(colliders);
  const lengths = polyhedra.map(halfLengths);
  const spacings = polyhedra.map(nodeSpacing);
  const of = (body: number, part: number) => colliders.polyhedra[first.get(copies * body)! + part]!;
  return {
    halfPiece(body, part, piece) {
      const polyhedron = of(body, part);
      return polyhedron === NO_POLYHEDRON ? 0 : lengths[polyhedron]![piece]!;
    },
    spacing: (body, part) => spacings[of(body, part)]!,
  };
}
