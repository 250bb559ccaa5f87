// Checks of a query, in one place for all that answer it.
import { requireArray, told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { TOUCHING_TOLERANCE } from '../constants.ts';
import { MANIFOLD_RULES } from '../manifold/manifold.ts';
import { POSE_SIZE, placements } from '../shapes/pose.ts';
import { PAIR_ALGORITHMS, PAIR_KINDS } from './pair-kinds.ts';
import type { PairQuery, ResolvedPairQuery } from './pair-query.ts';
import { startNormals } from './warm-start.ts';

/** Largest gap between bounds that can be asked for, relative to the pair's size. */
const LARGEST_TOLERANCE = 0.1;

/** What is taken where a query leaves it open. */
export type QueryDefaults = Pick<ResolvedPairQuery, 'algorithm' | 'tolerance'>;

/**
 * A query with all that it leaves open.
 *
 * @param shapes how many there are
 * @throws InputError that names the field of the query, what was found and what was expected.
 */
export function resolveQuery(shapes: number, query: PairQuery, defaults: QueryDefaults): ResolvedPairQuery {
  const { poses, pairs, kind, previous } = query;
  requireArray('poses', poses, [Float32Array, Float64Array], 'seven numbers per body');
  requireArray('pairs', pairs, [Uint32Array], 'two bodies per pair');
  const { algorithm = defaults.algorithm, tolerance = defaults.tolerance, sweepRadius = 0 } = query;
  if (!PAIR_KINDS.includes(kind)) {
    throw new InputError(`kind is ${told(kind)}, expected ${PAIR_KINDS.join(', ')}`);
  }
  if (!PAIR_ALGORITHMS.includes(algorithm)) {
    throw new InputError(`algorithm is ${told(algorithm)}, expected ${PAIR_ALGORITHMS.join(', ')}`);
  }
  const { manifold = 'clipped' } = query;
  if (!MANIFOLD_RULES.includes(manifold)) {
    throw new InputError(`manifold is ${told(manifold)}, expected ${MANIFOLD_RULES.join(', ')}`);
  }
  requireNumber('tolerance', tolerance);
  requireNumber('sweepRadius', sweepRadius);
  if (!(tolerance >= TOUCHING_TOLERANCE && tolerance <= LARGEST_TOLERANCE)) {
    throw new InputError(`tolerance is ${tolerance}, expected ${TOUCHING_TOLERANCE} to ${LARGEST_TOLERANCE}`);
  }
  if (!(sweepRadius >= 0 && sweepRadius < Infinity)) {
    throw new InputError(`sweepRadius is ${sweepRadius}, expected a length of at least 0`);
  }
  const placed = placements(poses);
  const bodies = shapesOfBodies(shapes, poses.length / POSE_SIZE, query.bodies);
  requirePairs(pairs, bodies.length);
  const warm = previous === undefined ? undefined : startNormals(previous, pairs);
  // Copies: the caller's arrays are free as soon as the call is made, and what becomes of them does not matter.
  const own = { poses: poses.slice(), bodies, pairs: pairs.slice() };
  return { ...own, placed, kind, algorithm, tolerance, sweepRadius, manifold, warm };
}

/** Texts compare like numbers, so ranges alone do not refuse them. */
function requireNumber(name: string, found: unknown): void {
  if (typeof found === 'number') return;
  throw new InputError(`${name} is ${told(found)}, expected a number`);
}

function shapesOfBodies(shapes: number, count: number, bodies: Uint32Array | undefined): Uint32Array {
  if (bodies === undefined) {
    if (count > shapes) {
      throw new InputError(
        `bodies: none found for ${count} poses of ${shapes} shapes, expected the shape of each`,
      );
    }
    return Uint32Array.from({ length: count }, (_, i) => i);
  }
  requireArray('bodies', bodies, [Uint32Array], 'a shape per body');
  if (bodies.length !== count) {
    throw new InputError(`bodies: ${bodies.length} found, expected one per pose, ${count}`);
  }
  for (let i = 0; i < count; i++) {
    if (bodies[i]! >= shapes) {
      throw new InputError(`bodies: body ${i} has the shape ${bodies[i]}, expected less than ${shapes}`);
    }
  }
  return bodies.slice();
}

function requirePairs(pairs: Uint32Array, bodies: number): void {
  if (pairs.length % 2 !== 0) {
    throw new InputError(`pairs: ${pairs.length} numbers found, expected a multiple of 2`);
  }
  for (let i = 0; i < pairs.length; i += 2) {
    const a = pairs[i]!;
    const b = pairs[i + 1]!;
    if (a >= bodies || b >= bodies) {
      throw new InputError(
        `pairs: pair ${i / 2} names the body ${a >= bodies ? a : b}, expected less than ${bodies}`,
      );
    }
    // Its answer would be right and of no use; what asks for it is most often a list that was not filled.
    if (a === b) throw new InputError(`pairs: pair ${i / 2} is body ${a} with itself, expected two bodies`);
  }
}
