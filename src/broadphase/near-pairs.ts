/** Which pairs of boxes that overlap have balls that nearly do: of round bodies half of them have not. */
import { quatd, vec3d } from 'wgpu-matrix';
import { BALL_ROUNDING, SIDE_ERROR } from './constants.ts';
import type { BoxOptions } from './entry-boxes.ts';

/** Numbers of a ball: middle, radius, and how far rounding may have moved it. */
const BALL = 5;

/**
 * Of pairs of entries, those whose balls may touch before one of both has moved by half the margin: in their order, in
 * the same memory. A body moves no ball of its own farther than that before its list is made anew (`boxReachesOf`).
 *
 * A coordinate of a middle is off by `SIDE_ERROR` of what it is summed of, as sides of boxes are; so a distance of two
 * middles is off by sqrt(3) times the sum of both, and by a few roundings of itself.
 */
export function nearPairs(
  pairs: Uint32Array<ArrayBuffer>,
  { entries, wanted, poses, margin }: Omit<BoxOptions, 'cell'>,
): Uint32Array<ArrayBuffer> {
  const count = wanted?.length ?? entries.count;
  const balls = new Float64Array(BALL * count);
  const turn = quatd.create();
  const middle = vec3d.create();
  for (let i = 0; i < count; i++) {
    const entry = wanted?.[i] ?? i;
    const at = 7 * entries.bodies[entry]!;
    for (let k = 0; k < 3; k++) middle[k] = entries.middles[3 * entry + k]!;
    for (let k = 0; k < 4; k++) turn[k] = poses[at + 3 + k]!;
    let far = Math.abs(middle[0]!) + Math.abs(middle[1]!) + Math.abs(middle[2]!);
    if (far > 0) vec3d.transformQuat(middle, quatd.normalize(turn, turn), middle);
    for (let k = 0; k < 3; k++) {
      balls[BALL * i + k] = poses[at + k]! + middle[k]!;
      far += Math.abs(poses[at + k]!);
    }
    const radius = entries.radii[entry]!;
    balls[BALL * i + 3] = radius * (1 + BALL_ROUNDING);
    balls[BALL * i + 4] = 2 * SIDE_ERROR * (far + radius);
  }
  let kept = 0;
  for (let k = 0; k < pairs.length; k += 2) {
    const a = BALL * pairs[k]!;
    const b = BALL * pairs[k + 1]!;
    const x = balls[b]! - balls[a]!;
    const y = balls[b + 1]! - balls[a + 1]!;
    const z = balls[b + 2]! - balls[a + 2]!;
    const reach = balls[a + 3]! + balls[b + 3]! + margin + balls[a + 4]! + balls[b + 4]!;
    if (x * x + y * y + z * z > reach * reach) continue;
    pairs[kept] = pairs[k]!;
    pairs[kept + 1] = pairs[k + 1]!;
    kept += 2;
  }
  return pairs.slice(0, kept);
}
