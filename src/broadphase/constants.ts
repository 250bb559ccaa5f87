/** Numbers of the broad phase, each with its unit and reason. */

/**
 * Bits of a box's coordinate below the cell: its unit, the quantum, is a cell * 2^-14. With `CELL_RANGE` that takes
 * all of an int32. A box is too large by a quantum or two, 1e-4 of the largest body.
 */
const QUANTUM_BITS = 14;
export const QUANTA_PER_CELL = 2 ** QUANTUM_BITS;

/** Positions of bodies are in cells -2^17 .. 2^17 - 1: the quanta of an int32. */
export const CELL_RANGE = 2 ** 17;

/**
 * Rounding of a box's side in float64, relative to |position| + |middle| + half the extent, all in quanta. A side is
 * position + (a row of the rotation) . middle +- the sum of three absolute products with half axes. With u = 2^-53:
 * an element of the rotation has fewer than 10 roundings, half axes 10 more from the collider's place (entries.ts), a
 * sum of three products 5, sums and the division by the quantum 5. That is below 32 u = 2^-48 of the terms' absolute
 * values; those of the three half axes add up to at most sqrt(3) half diagonals. So 2^-47 has room.
 */
export const SIDE_ERROR = 2 ** -47;

/**
 * How much larger balls of entries are taken, relative to their radius: nodes of polyhedra are rounded to float32 and
 * may stick out of their body by 2^-23 of its largest coordinate. That also covers roundings of radii and distances.
 */
export const BALL_ROUNDING = 2 ** -20;

/**
 * Most pairs of boxes: a million bodies of a packing have a third as many. More lie in each other, and their contacts
 * would take all memory, some 250 bytes each.
 */
export const MOST_PAIRS = 2 ** 24;
