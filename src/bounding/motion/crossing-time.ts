/** When a distance crosses 0 on its way. */

/** Looks at a distance, at most. Four are usual. */
const MOST_LOOKS = 16;

/** A distance at a time, and what rounding may have done to it. */
export interface Look {
  readonly distance: number;
  readonly error: number;
}

/**
 * By regula falsi with halved ends ("Illinois"), from the time on at which the distance is 0 that is interpolated
 * linearly. Where nothing turns that is the answer.
 *
 * @param begin time and distance
 * @param end the same, on the other side of 0 or on it
 */
export function crossingTime(
  look: (time: number) => Look,
  [begin, first]: readonly [number, number],
  [end, last]: readonly [number, number],
): number {
  let [low, above, high, below] = [begin, first, end, last];
  let side = 0;
  for (let looks = 0; ; looks++) {
    const time = above === 0 ? low : low + (above / (above - below)) * (high - low);
    if (looks === MOST_LOOKS) return time;
    const { distance, error } = look(time);
    if (!(Math.abs(distance) > error)) return time;
    if (distance > 0 === first > 0) {
      [low, above] = [time, distance];
      if (side > 0) below /= 2;
      side = 1;
    } else {
      [high, below] = [time, distance];
      if (side < 0) above /= 2;
      side = -1;
    }
  }
}
