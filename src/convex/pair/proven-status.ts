// What the bounds of an answer prove, whichever algorithm found them.
import type { Pair } from './pair.ts';
import { PairStatus } from './status.ts';

/**
 * Touching is what is 0 within the touching tolerance by both bounds; converged has its bounds within the tolerance and
 * on one side of 0, however it ended: rounding may have kept them apart.
 */
export function provenStatus({ lower, upper, distance, touching, tolerance, size }: Pair): PairStatus {
  const width = upper - lower;
  if (Math.abs(distance) <= touching && width <= touching) return PairStatus.touching;
  const isMet = width <= Math.max(tolerance * size, touching);
  const isCertain = lower > 0 || upper <= 0 || width <= touching;
  return isMet && isCertain ? PairStatus.converged : PairStatus.bounded;
}
