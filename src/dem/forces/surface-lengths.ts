/** Lengths of polyhedra's surfaces, which forces need beside the contacts' own numbers. */
import { type Colliders, NO_POLYHEDRON } from '../../contacts/bodies/colliders.ts';
import type { PolyhedronArrays } from '../../contacts/field/field-arrays.ts';

export interface SurfaceLengths {
  /** `[c]`: the polyhedron of each collider, or `NO_POLYHEDRON`. */
  readonly polyhedra: Uint32Array;
  /** `[p]`: as `nodeSpacing` below. */
  readonly spacings: Float64Array;
  /** Halves of the lengths of all polyhedra's pieces of sharp edges; `[p]`: where each polyhedron's begin. */
  readonly halves: Float64Array;
  readonly starts: Uint32Array;
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

export function surfaceLengths(
  { polyhedra: ofColliders }: Pick<Colliders, 'polyhedra'>,
  polyhedra: readonly PolyhedronArrays[],
): SurfaceLengths {
  const lengths = polyhedra.map(halfLengths);
  const starts = new Uint32Array(lengths.length);
  for (let p = 1; p < starts.length; p++) starts[p] = starts[p - 1]! + lengths[p - 1]!.length;
  const halves = new Float64Array(lengths.reduce((sum, { length }) => sum + length, 0));
  for (const [p, own] of lengths.entries()) halves.set(own, starts[p]!);
  return { polyhedra: ofColliders, spacings: Float64Array.from(polyhedra, nodeSpacing), halves, starts };
}

/** Half the length of a piece of a collider's sharp edges; 0 for one that is no polyhedron. */
export function halfPiece(
  { polyhedra, halves, starts }: SurfaceLengths,
  collider: number,
  piece: number,
): number {
  const polyhedron = polyhedra[collider]!;
  return polyhedron === NO_POLYHEDRON ? 0 : halves[starts[polyhedron]! + piece]!;
}
