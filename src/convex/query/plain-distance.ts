// Kind `distance`: overlapping bodies have the distance 0. This makes all algorithms and both backends say so alike.
import type { PairArrays } from './pair-query.ts';

/** Makes distances and bounds below 0 zero, and both points one: overlapping bodies have no nearest points. */
export function toPlainDistances({ distance, lower, upper, pointA, pointB }: PairArrays): void {
  for (let i = 0; i < distance.length; i++) {
    if (lower[i]! < 0) lower[i] = 0;
    if (upper[i]! < 0) upper[i] = 0;
    if (distance[i]! > 0) continue;
    distance[i] = 0;
    for (let k = 3 * i; k < 3 * i + 3; k++) pointB[k] = pointA[k]!;
  }
}
