/** Morton (Z-order) codes: neighbours in space become neighbours in memory. */

/** Spreads the low 10 bits of `x` three bits apart. */
function spread(x: number): number {
  let v = x & 0x3ff;
  v = (v | (v << 16)) & 0x030000ff;
  v = (v | (v << 8)) & 0x0300f00f;
  v = (v | (v << 4)) & 0x030c30c3;
  return (v | (v << 2)) & 0x09249249;
}

/** 30-bit Morton code of three cell numbers of 0 .. 1023. */
export function mortonCode(x: number, y: number, z: number): number {
  return spread(x) | (spread(y) << 1) | (spread(z) << 2);
}

/**
 * Order that sorts `keys` (unsigned, below 2^30), ties as in `ties`, or by index: a stable radix sort of 3 x 10 bits.
 *
 * @param ties an order of all keys by something less weighty
 */
export function sortOrder(keys: Uint32Array, ties?: Uint32Array): Uint32Array {
  const n = keys.length;
  let order = ties?.slice() ?? Uint32Array.from(keys, (_, i) => i);
  let next = new Uint32Array(n);
  const starts = new Uint32Array(1025);
  for (let shift = 0; shift < 30; shift += 10) {
    starts.fill(0);
    for (let i = 0; i < n; i++) starts[((keys[i]! >>> shift) & 1023) + 1]!++;
    for (let d = 0; d < 1024; d++) starts[d + 1]! += starts[d]!;
    for (let i = 0; i < n; i++) {
      const index = order[i]!;
      next[starts[(keys[index]! >>> shift) & 1023]!++] = index;
    }
    [order, next] = [next, order];
  }
  return order;
}
