/** Boxes of entries in whole quanta, of poses in float64: surely around the entries. */
import { mat3d, quatd } from 'wgpu-matrix';
import { CELL_RANGE, QUANTA_PER_CELL, SIDE_ERROR } from './constants.ts';
import type { EntryPlaces } from './entries.ts';

export interface BoxOptions {
  readonly entries: EntryPlaces;
  /** Numbers of the entries whose boxes are wanted, in their order; undefined: all. */
  readonly wanted?: Uint32Array | undefined;
  /** `[bodies * 7]`: position, and quaternion x, y, z, w, of about unit length. */
  readonly poses: Float32Array | Float64Array;
  /** Edge of a cell, a length: a power of two. */
  readonly cell: number;
  /** Boxes grow by half of it on each side, a length. */
  readonly margin: number;
}

/** The first body whose position is not in the range of cells; -1 where there is none. */
export function firstOutOfRange(poses: Float32Array | Float64Array, cell: number): number {
  const most = cell * CELL_RANGE;
  for (let at = 0; at < poses.length; at += 7) {
    const x = poses[at]!;
    const y = poses[at + 1]!;
    const z = poses[at + 2]!;
    // NaN is out of range as well.
    if (!(x >= -most && x < most && y >= -most && y < most && z >= -most && z < most)) return at / 7;
  }
  return -1;
}

/**
 * Writes the boxes of entries one after the other, `[n * 6]`: least and greatest coordinates in quanta, both inside.
 * Sides are rounded outwards by more than rounding can take from them (`SIDE_ERROR`). What is beyond an int32 ends
 * there, so boxes that overlap still do.
 */
export function writeEntryBoxes(
  { entries, wanted, poses, cell, margin }: BoxOptions,
  boxes: Int32Array,
): void {
  const { bodies, middles, halfAxes, radii } = entries;
  // Both are powers of two, so that a product with it is exact.
  const perLength = QUANTA_PER_CELL / cell;
  const grown = (margin / 2) * perLength;
  const turn = quatd.create();
  const rotation = mat3d.create();
  let placed = -1;
  const count = wanted?.length ?? entries.count;
  for (let i = 0; i < count; i++) {
    const entry = wanted?.[i] ?? i;
    const body = bodies[entry]!;
    if (body !== placed) {
      for (let k = 0; k < 4; k++) turn[k] = poses[7 * body + 3 + k]!;
      mat3d.fromQuat(quatd.normalize(turn, turn), rotation);
      placed = body;
    }
    const x = middles[3 * entry]!;
    const y = middles[3 * entry + 1]!;
    const z = middles[3 * entry + 2]!;
    const radius = radii[entry]!;
    const far = Math.abs(x) + Math.abs(y) + Math.abs(z) + radius;
    for (let axis = 0; axis < 3; axis++) {
      const rx = rotation[axis]!;
      const ry = rotation[4 + axis]!;
      const rz = rotation[8 + axis]!;
      let half = 0;
      for (let at = 9 * entry; at < 9 * entry + 9; at += 3) {
        half += Math.abs(rx * halfAxes[at]! + ry * halfAxes[at + 1]! + rz * halfAxes[at + 2]!);
      }
      if (radius < half) half = radius;
      const position = poses[7 * body + axis]!;
      const middle = (position + (rx * x + ry * y + rz * z)) * perLength;
      const reach = half * perLength + grown;
      const error = SIDE_ERROR * ((Math.abs(position) + far + half) * perLength + grown);
      boxes[6 * i + axis] = Math.max(-(2 ** 31), Math.floor(middle - reach - error));
      boxes[6 * i + 3 + axis] = Math.min(2 ** 31 - 1, Math.ceil(middle + reach + error));
    }
  }
}
