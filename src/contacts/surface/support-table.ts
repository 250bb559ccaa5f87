/** How far a body reaches in every direction, as a table: docs/contacts.md, "Between two planes". */
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { SUPPORT_CELLS } from './constants.ts';

const SAMPLES = SUPPORT_CELLS + 1;
/** Rounding to float32, so that nothing gets less. */
const UPWARDS = 2 ** -22;

/** The middle of a mesh's box. */
export function middleOf({ box }: TriangleMesh): readonly [number, number, number] {
  const [x, y, z] = [0, 1, 2].map((k) => (box.min[k]! + box.max[k]!) / 2);
  return [x!, y!, z!];
}

/**
 * Samples of the support function: how far the mesh reaches from a place along directions to points of the cube from
 * -1 to 1, times their length. `[6 * SAMPLES * SAMPLES]`: of faces +x, -x, +y, -y, +z and -z; of each, rows along the
 * next axis but one, and in them along the next.
 */
export function supportTable(
  { positions }: TriangleMesh,
  middle: readonly [number, number, number],
): Float32Array<ArrayBuffer> {
  const table = new Float32Array(6 * SAMPLES * SAMPLES);
  const points = Float64Array.from(positions, (x, i) => x - middle[i % 3]!);
  const direction = [0, 0, 0];
  for (let at = 0; at < table.length; at++) {
    const face = Math.floor(at / SAMPLES ** 2);
    const axis = face >> 1;
    direction[axis] = (face & 1) === 0 ? 1 : -1;
    direction[(axis + 1) % 3] = (2 * (at % SAMPLES)) / SUPPORT_CELLS - 1;
    direction[(axis + 2) % 3] = (2 * (Math.floor(at / SAMPLES) % SAMPLES)) / SUPPORT_CELLS - 1;
    const [x, y, z] = direction as [number, number, number];
    let most = -Infinity;
    for (let i = 0; i < points.length; i += 3) {
      const reach = points[i]! * x + points[i + 1]! * y + points[i + 2]! * z;
      if (reach > most) most = reach;
    }
    table[at] = most + UPWARDS * Math.abs(most);
  }
  return table;
}

/**
 * How far a body reaches along the direction `w[0..2]`, times the direction's length, or a little more. The gradient of
 * that goes to `w[3..5]`. Numbers go through an array: engines put float64 results on the heap.
 *
 * Support functions are convex: between samples they are nowhere above their interpolation.
 */
export function supportAlong(table: Float32Array, w: Float64Array): number {
  const ax = Math.abs(w[0]!);
  const ay = Math.abs(w[1]!);
  const az = Math.abs(w[2]!);
  const axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
  const next = axis === 2 ? 0 : axis + 1;
  const other = axis === 0 ? 2 : axis - 1;
  const along = w[axis]!;
  const size = Math.abs(along);
  const half = SUPPORT_CELLS / 2;
  const a = (w[next]! / size + 1) * half;
  const b = (w[other]! / size + 1) * half;
  const i = Math.min(SUPPORT_CELLS - 1, a | 0);
  const j = Math.min(SUPPORT_CELLS - 1, b | 0);
  const at = ((2 * axis + (along < 0 ? 1 : 0)) * SAMPLES + j) * SAMPLES + i;
  const h00 = table[at]!;
  const h10 = table[at + 1]!;
  const h01 = table[at + SAMPLES]!;
  const h11 = table[at + SAMPLES + 1]!;
  const low = h00 + (a - i) * (h10 - h00);
  const high = h01 + (a - i) * (h11 - h01);
  const value = size * (low + (b - j) * (high - low));
  const byNext = half * (h10 - h00 + (b - j) * (h11 - h01 - h10 + h00));
  const byOther = half * (high - low);
  w[3 + next] = byNext;
  w[3 + other] = byOther;
  // The function grows as the direction does: direction times gradient is the value.
  w[3 + axis] = (value - byNext * w[next]! - byOther * w[other]!) / along;
  return value;
}
