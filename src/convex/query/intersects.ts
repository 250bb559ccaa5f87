// Whether bodies have a point in common, from the results of a query.
import { requireArray, requireObject, told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { PairStatus } from '../pair/status.ts';
import type { PairKind } from './pair-kinds.ts';

/** What `intersects` reads of results. */
export interface IntersectionAnswers {
  readonly kind: PairKind;
  readonly status: Uint8Array;
  readonly distance: ArrayLike<number>;
}

/**
 * Whether the bodies of a pair have a point in common, touching included. It takes results of any kind and algorithm.
 * No status alone says it: a distance may have converged for bodies that are apart and for bodies that overlap.
 *
 * @param results of a query
 * @param pair its place in the list of pairs
 * @throws InputError if there is no such pair.
 */
export function intersects(results: IntersectionAnswers, pair: number): boolean {
  requireObject('intersects: results', results, 'those of a query');
  const { kind, status, distance } = results;
  requireArray('intersects: results.status', status, [Uint8Array], 'a status per pair');
  requireArray('intersects: results.distance', distance, [Float32Array, Float64Array], 'one number per pair');
  const found = Number.isInteger(pair) ? status[pair] : undefined;
  if (found === undefined) {
    throw new InputError(`pair is ${told(pair)}, expected a whole number below ${status.length}`);
  }
  if (found === PairStatus.separated) return false;
  return found === PairStatus.touching || kind === 'intersect' || distance[pair]! <= 0;
}
