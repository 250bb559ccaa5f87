// Where to start looking for the farthest vertex of a polytope. The farthest vertices in directions all over a cube are
// found once. From there, climbing takes a look at the neighbours of one or two vertices, whatever was asked before.

/** Cells along an edge of the cube. */
const CELLS = 8;
/** Seeds of one polytope. */
export const SEEDS = 6 * CELLS * CELLS;
/** Half the cells; a little less, so that no direction on the cube's edge is rounded into the cell beyond. */
const HALF = (CELLS / 2) * (1 - 2 ** -40);

/** Index of the cell that a direction passes, 0 to before SEEDS. */
export function seedOf(x: number, y: number, z: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const az = Math.abs(z);
  let face: number;
  let u: number;
  let v: number;
  // Directions too short to divide by give NaN, which becomes cell 0. Any start is right.
  if (ax >= ay && ax >= az) {
    const s = HALF / ax;
    face = x < 0 ? CELLS : 0;
    u = y * s;
    v = z * s;
  } else if (ay >= az) {
    const s = HALF / ay;
    face = y < 0 ? 3 * CELLS : 2 * CELLS;
    u = x * s;
    v = z * s;
  } else {
    const s = HALF / az;
    face = z < 0 ? 5 * CELLS : 4 * CELLS;
    u = x * s;
    v = y * s;
  }
  return (face + ((u + CELLS / 2) | 0)) * CELLS + ((v + CELLS / 2) | 0);
}

/** Unit vector in the middle of a cell on the cube. */
export function middleOfCell(cell: number, out: Float64Array): void {
  const face = Math.floor(cell / (CELLS * CELLS));
  const axis = face >> 1;
  const u = (2 * (Math.floor(cell / CELLS) % CELLS) + 1) / CELLS - 1;
  const v = (2 * (cell % CELLS) + 1) / CELLS - 1;
  const s = 1 / Math.sqrt(1 + u * u + v * v);
  out[axis] = face & 1 ? -s : s;
  out[axis === 0 ? 1 : 0] = s * u;
  out[axis === 2 ? 1 : 2] = s * v;
}

/**
 * Farthest of `count` vertices from `first` on, in the direction of the middle of each cell, into `seeds` from `at` on.
 */
export function fillSeeds(
  vertices: Float64Array,
  first: number,
  count: number,
  seeds: Uint32Array,
  at: number,
): void {
  const n = new Float64Array(3);
  for (let cell = 0; cell < SEEDS; cell++) {
    middleOfCell(cell, n);
    let most = -Infinity;
    for (let k = first; k < first + count; k++) {
      const value = vertices[3 * k]! * n[0]! + vertices[3 * k + 1]! * n[1]! + vertices[3 * k + 2]! * n[2]!;
      if (value <= most) continue;
      most = value;
      seeds[at + cell] = k;
    }
  }
}
