/** Which points of a cloud are drawn. */
import { OUTSIDE } from '../../src/index.ts';
import { mixBits } from '../../src/mesh/random.ts';
import type { Slice } from './winding-map.ts';

/** Which side of a slice is cut away, along its axis: the one that the camera stands on at first. */
export const CUT_AWAY = [1, -1, 1] as const;

/** Points, and which of them are to be seen. */
export interface Seen {
  /** `[x, y, z]` each. */
  readonly points: ArrayLike<number>;
  readonly flags: ArrayLike<number>;
  /** Whether points of a flag are shown. */
  readonly isShown: readonly boolean[];
  readonly slice: Slice | undefined;
  /** How deep below the slice points outside are shown: they would hide the body. */
  readonly layer: number;
}

/**
 * Indices of the points that are in sight.
 *
 * @param among indices of the points to look at, by default all
 */
export function visiblePoints(seen: Seen, among?: ArrayLike<number>): Uint32Array {
  const { points, flags, isShown, slice, layer } = seen;
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
  return visible.subarray(0, count);
}

/** Points with flags, as they are drawn. */
export interface Cloud {
  readonly points: Float32Array;
  readonly flags: Uint8Array;
  readonly differing: Uint32Array;
}

/** A cloud of at most about so many points, chosen evenly, with all that differ among them. */
export function cloudOf(
  points: Float32Array,
  flags: Uint8Array,
  differing: Uint32Array,
  most: number,
): Cloud {
  if (flags.length <= most) return { points, flags, differing };
  const share = (most / flags.length) * 2 ** 32;
  const differs = new Set(differing);
  const chosen: number[] = [];
  const marked: number[] = [];
  for (let i = 0; i < flags.length; i++) {
    if (differs.has(i)) marked.push(chosen.length);
    else if (mixBits(i) >= share) continue;
    chosen.push(i);
  }
  const some = new Float32Array(3 * chosen.length);
  chosen.forEach((i, n) => {
    some.set(points.subarray(3 * i, 3 * i + 3), 3 * n);
  });
  return {
    points: some,
    flags: Uint8Array.from(chosen, (i) => flags[i]!),
    differing: Uint32Array.from(marked),
  };
}
