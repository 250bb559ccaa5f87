// Where to start looking for the farthest vertex of a polytope: the farthest ones in directions all over a cube, found once.
// From there, climbing is a look at the neighbours of one or two vertices, whatever was asked before.

/** Cells along an edge of the cube. */
const CELLS = 8;
/** Seeds of one polytope. */
export const SEEDS = 6 * CELLS * CELLS;
/** Half the cells, short of what would round a direction on the cube's edge into the cell beyond. */
const HALF = (CELLS / 2) * (1 - 2 ** -40);

/** Index of the cell that a direction passes, 0 to before SEEDS. */
export function seedOf(x: number, y: number, z: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const az = Math.abs(z);
  let face: number;
  let u: number;
  let v: number;
  // What is not a number, for directions too short to divide by, becomes cell 0: any start is right.
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

/** Farthest of `count` vertices from `first` on, in the direction of the middle of each cell, into `seeds` from `at` on. */
export function fillSeeds(
  vertices: Float64Array,
  first: number,
  count: number,
  seeds: Uint32Array,
  at: number,
): void {
  const n = [0, 0, 0];
  for (let face = 0; face < 6; face++) {
    const axis = face >> 1;
    for (let i = 0; i < CELLS; i++) {
      for (let j = 0; j < CELLS; j++) {
        n[axis] = face & 1 ? -1 : 1;
        n[axis === 0 ? 1 : 0] = (2 * i + 1) / CELLS - 1;
        n[axis === 2 ? 1 : 2] = (2 * j + 1) / CELLS - 1;
        let most = -Infinity;
        for (let k = first; k < first + count; k++) {
          const value =
            vertices[3 * k]! * n[0]! + vertices[3 * k + 1]! * n[1]! + vertices[3 * k + 2]! * n[2]!;
          if (value <= most) continue;
          most = value;
          seeds[at + (face * CELLS + i) * CELLS + j] = k;
        }
      }
    }
  }
}
