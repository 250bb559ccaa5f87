// What the bounds of an answer prove, whichever algorithm found them.
import type { Pair } from './pair.ts';
import { PairStatus } from './status.ts';

/**
 * `touching` if both bounds say that the distance is 0 within the touching tolerance. `converged` if the bounds are
 * within the tolerance and on one side of 0. How the algorithm ended does not matter: rounding may have kept the bounds
 * apart.
 */
export function provenStatus({ lower, upper, distance, touching, tolerance, size }: Pair): PairStatus {
  const width = upper - lower;
  if (Math.abs(distance) <= touching && width <= touching) return PairStatus.touching;
  const isMet = width <= Math.max(tolerance * size, touching);
  const isCertain = lower > 0 || upper <= 0 || width <= touching;
  return isMet && isCertain ? PairStatus.converged : PairStatus.bounded;
}
