/** How far bodies have moved since a list of pairs was made: it serves as long as that is within half its margin. */

type Poses = Float32Array | Float64Array;

/**
 * The farthest that any point of any body can have moved, a length; NaN where a place is not finite. With boxes grown
 * by half the margin, a list holds all pairs that come to overlap as long as this is at most half the margin.
 *
 * A turn by the angle t moves a point at distance r by at most 2 sin(t/2) r <= 4 sin(t/4) r, and 2 sin(t/4) is the
 * distance of the unit quaternions, the nearer one of q and -q. Differences of quaternions stay accurate for small
 * turns, in which 1 - cos(t/2) drowns.
 *
 * @param poses `[bodies * 7]`: position, and quaternion x, y, z, w, of about unit length
 * @param reference the poses that the list was made of
 * @param absent `[bodies]`: 1 for bodies that are not there
 * @param reaches `[bodies]`: the farthest distance of a body's points from its origin (`reachesOf`, `boxReachesOf`)
 */
export function largestMove(
  poses: Poses,
  reference: Poses,
  reaches: Float64Array,
  absent?: Uint8Array,
): number {
  let largest = 0;
  for (let body = 0; body < reaches.length; body++) {
    if (absent?.[body] === 1) continue;
    largest = Math.max(largest, moveOf(poses, reference, reaches, body));
  }
  return largest;
}

/** Numbers of a body's move: the way x, y, z of its origin, and how far its turn can have moved points about that. */
export const MOVE = 4;

/** Writes the moves of all bodies from the reference, `[bodies * MOVE]`, with bounds as `largestMove` has them. */
export function writeMoves(poses: Poses, reference: Poses, reaches: Float64Array, moves: Float64Array): void {
  for (let body = 0; body < reaches.length; body++) {
    const at = 7 * body;
    const to = MOVE * body;
    moves[to] = poses[at]! - reference[at]!;
    moves[to + 1] = poses[at + 1]! - reference[at + 1]!;
    moves[to + 2] = poses[at + 2]! - reference[at + 2]!;
    moves[to + 3] = turnOf(poses, reference, reaches, body);
  }
}

function moveOf(poses: Poses, reference: Poses, reaches: Float64Array, body: number): number {
  const at = 7 * body;
  const x = poses[at]! - reference[at]!;
  const y = poses[at + 1]! - reference[at + 1]!;
  const z = poses[at + 2]! - reference[at + 2]!;
  return Math.sqrt(x * x + y * y + z * z) + turnOf(poses, reference, reaches, body);
}

function turnOf(poses: Poses, reference: Poses, reaches: Float64Array, body: number): number {
  const reach = reaches[body]!;
  // A ball about its body's origin takes up the same room however it turns.
  return reach === 0 ? 0 : 2 * turnBetween(poses, reference, 7 * body + 3) * reach;
}

/** Distance of two quaternions made unit, or of one from the other's negative. */
function turnBetween(poses: Poses, reference: Poses, at: number): number {
  const scale = 1 / lengthOf(poses, at);
  const referenceScale = 1 / lengthOf(reference, at);
  let same = 0;
  let opposite = 0;
  for (let i = at; i < at + 4; i++) {
    const now = scale * poses[i]!;
    const then = referenceScale * reference[i]!;
    same += (now - then) * (now - then);
    opposite += (now + then) * (now + then);
  }
  return Math.sqrt(Math.min(same, opposite));
}

function lengthOf(poses: Poses, at: number): number {
  let sum = 0;
  for (let i = at; i < at + 4; i++) sum += poses[i]! * poses[i]!;
  return Math.sqrt(sum);
}
