/** Which points of a cloud are drawn. */
import { OUTSIDE } from '../../src/index.ts';
import type { Slice } from './winding-map.ts';

/** Which side of a slice is cut away, along its axis: the one that the camera stands on at first. */
export const CUT_AWAY = [1, -1, 1] as const;

export interface Cloud {
  /** `[x, y, z]` each. */
  readonly points: ArrayLike<number>;
  readonly flags: ArrayLike<number>;
  /** Whether points of a flag are shown. */
  readonly isShown: readonly boolean[];
  readonly slice: Slice | undefined;
  /** How deep below the slice points outside are shown: they would hide the body. */
  readonly layer: number;
}

export interface VisiblePoints {
  /** Indices of the points to be drawn. */
  readonly drawn: Uint32Array;
  /** How many there would be without the limit. */
  readonly of: number;
}

/**
 * The points that are in sight; where they are more than `most`, about that many of them, evenly picked.
 *
 * @param among indices of the points to look at, by default all
 */
export function visiblePoints(cloud: Cloud, most: number, among?: ArrayLike<number>): VisiblePoints {
  const { points, flags, isShown, slice, layer } = cloud;
  const length = among?.length ?? flags.length;
  const visible = new Uint32Array(length);
  let count = 0;
  for (let k = 0; k < length; k++) {
    const i = among ? among[k]! : k;
    const flag = flags[i]!;
    if (!isShown[flag]) continue;
    if (slice) {
      const above = CUT_AWAY[slice.axis] * (points[3 * i + slice.axis]! - slice.at);
      if (above > 0 || (flag === OUTSIDE && above < -layer)) continue;
    }
    visible[count++] = i;
  }
  const inSight = visible.subarray(0, count);
  const limit = (most / count) * 2 ** 32;
  return { drawn: count <= most ? inSight : inSight.filter((i) => mixed(i) < limit), of: count };
}

/** A number from 0 to 2^32 that has nothing to do with the order of points: each bit depends on all bits. */
function mixed(i: number): number {
  let x = Math.imul(i ^ (i >>> 16), 0x45d9f3b);
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  return (x ^ (x >>> 16)) >>> 0;
}
