// Checks of a query, in one place for all that answer it.
import { found, requireArray, told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { TOUCHING_TOLERANCE } from '../constants.ts';
import { MANIFOLD_RULES } from '../manifold/manifold-rules.ts';
import { arePoses, POSE_SIZE, requirePoses } from '../shapes/pose.ts';
import { PAIR_ALGORITHMS, PAIR_KINDS } from './pair-kinds.ts';
import type { PairQuery, PairQuestion, ResolvedPairQuery } from './pair-query.ts';
import { startNormals } from './warm-start.ts';

/** Largest gap between bounds that can be asked for, relative to the pair's size. */
const LARGEST_TOLERANCE = 0.1;

/** Values for what a query leaves open. */
export type QueryDefaults = Pick<ResolvedPairQuery, 'algorithm' | 'tolerance'>;

/**
 * A query with all that it leaves open. Its arrays are the caller's own. What they hold is not looked at: whoever reads
 * them does that (`requireContents`, `areSound`), so that many threads can.
 *
 * @param shapeCount how many shapes there are
 * @throws InputError that names the field of the query, what was found and what was expected.
 */
export function resolveQuery(
  shapeCount: number,
  query: PairQuery,
  defaults: QueryDefaults,
): ResolvedPairQuery {
  const { poses, pairs, previous } = query;
  requirePoseArray(poses);
  requireArray('pairs', pairs, [Uint32Array], 'two bodies per pair');
  const question = resolveQuestion(query, defaults);
  if (pairs.length % 2 !== 0) {
    throw new InputError(`pairs: ${pairs.length} numbers found, expected a multiple of 2`);
  }
  const shapes = shapesOfBodies(shapeCount, poses.length / POSE_SIZE, query.shapes);
  const warm = previous === undefined ? undefined : startNormals(previous, pairs);
  return { ...question, poses, pairs, shapes, shapeCount, warm };
}

/** @throws InputError for what is no array of poses. What it holds is not looked at. */
export function requirePoseArray(poses: Float32Array | Float64Array): void {
  requireArray('poses', poses, [Float32Array, Float64Array], 'seven numbers per body');
  if (poses.length % POSE_SIZE === 0) return;
  throw new InputError(`poses: ${poses.length} numbers found, expected a multiple of ${POSE_SIZE}`);
}

/**
 * What is asked, with all that it leaves open.
 *
 * @throws InputError that names the field, what was found and what was expected.
 */
export function resolveQuestion(
  query: Pick<PairQuery, keyof PairQuestion>,
  defaults: QueryDefaults,
): PairQuestion {
  const { kind } = query;
  const { algorithm = defaults.algorithm, tolerance = defaults.tolerance, sweepRadius = 0 } = query;
  if (!PAIR_KINDS.includes(kind)) {
    throw new InputError(`kind is ${found(kind)}, expected ${PAIR_KINDS.join(', ')}`);
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
  return { kind, algorithm, tolerance, sweepRadius, manifold };
}

/** Texts compare like numbers, so ranges alone do not refuse them. */
function requireNumber(name: string, found: unknown): void {
  if (typeof found === 'number') return;
  throw new InputError(`${name} is ${told(found)}, expected a number`);
}

function shapesOfBodies(shapeCount: number, count: number, shapes: Uint32Array | undefined): Uint32Array {
  if (shapes === undefined) {
    if (count > shapeCount) {
      throw new InputError(
        `shapes: none found for ${count} poses of ${shapeCount} shapes, expected the shape of each`,
      );
    }
    return new Uint32Array(count).map((_, i) => i);
  }
  requireArray('shapes', shapes, [Uint32Array], 'a shape per body');
  if (shapes.length !== count) {
    throw new InputError(`shapes: ${shapes.length} found, expected one per pose, ${count}`);
  }
  return shapes;
}

/** Whether bodies `first .. end - 1` have poses that can be used, and shapes that are there. */
export function areSound(
  { poses, shapes, shapeCount }: ResolvedPairQuery,
  first: number,
  end: number,
): boolean {
  for (let i = first; i < end; i++) if (shapes[i]! >= shapeCount) return false;
  return arePoses(poses, first, end);
}

/**
 * @throws InputError for the first number of a query's arrays that cannot be used: what was found and what was
 * expected.
 */
export function requireContents({ poses, shapes, pairs, shapeCount }: ResolvedPairQuery): void {
  requirePoses(poses);
  for (let i = 0; i < shapes.length; i++) {
    if (shapes[i]! >= shapeCount) {
      throw new InputError(`shapes: body ${i} has the shape ${shapes[i]}, expected less than ${shapeCount}`);
    }
  }
  for (let i = 0; i < pairs.length; i += 2) {
    const a = pairs[i]!;
    const b = pairs[i + 1]!;
    if (a >= shapes.length || b >= shapes.length) {
      const body = a >= shapes.length ? a : b;
      throw new InputError(
        `pairs: pair ${i / 2} names the body ${body}, expected less than ${shapes.length}`,
      );
    }
    // Its answer would be right and of no use; what asks for it is most often a list that was not filled.
    if (a === b) throw new InputError(`pairs: pair ${i / 2} is body ${a} with itself, expected two bodies`);
  }
}
