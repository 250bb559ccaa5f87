// The farthest vertex of a polytope in a direction: of those that may be the farthest in the direction's cell
// (cells.ts), or of all where they are few. Either way it is as far as any, to the last digit.

import { cellOf } from './cells.ts';
import { INTEGERS, Integer, NO_CELLS, type ShapeRecords } from './records.ts';

const along = new Float64Array(3);

/** Index in `vertices` of the vertex of a polytope that is farthest in a direction of any length. */
export function farthestVertex(table: ShapeRecords, shape: number, x: number, y: number, z: number): number {
  along[0] = x;
  along[1] = y;
  along[2] = z;
  return farthestAlong(table, shape, along, 0);
}

/** The same for the direction from place `d` of an array on. Engines make objects of numbers that calls pass. */
export function farthestAlong(
  table: ShapeRecords,
  shape: number,
  direction: Float64Array,
  d: number,
): number {
  const { vertices: v, integers, farthest, farthestStarts } = table;
  const at = INTEGERS * shape;
  const x = direction[d]!;
  const y = direction[d + 1]!;
  const z = direction[d + 2]!;
  const firstCell = integers[at + Integer.firstCell]!;
  let best: number;
  if (firstCell !== NO_CELLS) {
    const cell = firstCell + cellOf(x, y, z);
    const end = farthestStarts[cell + 1]!;
    let e = farthestStarts[cell]!;
    best = 3 * farthest[e]!;
    if (++e < end) {
      let most = v[best]! * x + v[best + 1]! * y + v[best + 2]! * z;
      do {
        const p = 3 * farthest[e]!;
        const value = v[p]! * x + v[p + 1]! * y + v[p + 2]! * z;
        if (value > most) {
          most = value;
          best = p;
        }
      } while (++e < end);
    }
    return best / 3;
  }
  best = 3 * integers[at + Integer.firstVertex]!;
  const end = best + 3 * integers[at + Integer.vertexCount]!;
  let most = -Infinity;
  for (let p = best; p < end; p += 3) {
    const value = v[p]! * x + v[p + 1]! * y + v[p + 2]! * z;
    if (value > most) {
      most = value;
      best = p;
    }
  }
  return best / 3;
}
