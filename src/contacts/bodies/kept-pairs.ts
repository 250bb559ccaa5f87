/** Pairs that one list has from another. */

/**
 * Calls back with the places of each pair that both lists have, in the old list and in the new one. Both are in the
 * order of A, then of B.
 *
 * @param before `[k * 2]`: colliders A and B of the old list
 * @param now the same of the new one
 */
export function eachKept(
  before: Uint32Array,
  now: Uint32Array,
  visit: (from: number, to: number) => void,
): void {
  for (let i = 0, k = 0; i < before.length && k < now.length; ) {
    const apart = before[i]! - now[k]! || before[i + 1]! - now[k + 1]!;
    if (apart === 0) visit(i / 2, k / 2);
    if (apart <= 0) i += 2;
    if (apart >= 0) k += 2;
  }
}
