/** Spheres: a middle and a radius. */
import type { VolumeKind } from './volume.ts';

/** Steps towards the farthest corner. */
const STEPS = 2;
/** Triangles of a part whose corners are looked at; larger ones are fitted around spheres of nodes in them. */
const MOST_TRIANGLES = 16;
/** So many levels below. */
const LEVELS = 4;
/** A radius is rounded up: seven roundings, with room. */
const UPWARDS = 1 + 2 ** -49;

/** Balls to fit one around: `[x, y, z, radius]`. */
const balls = new Float64Array(4 * Math.max(3 * MOST_TRIANGLES, 2 ** LEVELS));

/** Writes the spheres some levels below a node, or of leaves; returns where the next ball has its place. */
function collect(
  values: Float64Array,
  second: Uint32Array,
  node: number,
  levels: number,
  to: number,
): number {
  if (levels > 0 && second[node] !== 0) {
    const next = collect(values, second, node + 1, levels - 1, to);
    return collect(values, second, second[node]!, levels - 1, next);
  }
  for (let k = 0; k < 4; k++) balls[to + k] = values[4 * node + k]!;
  return to + 4;
}

/**
 * A ball around balls: the middle of their box, moved towards the farthest one by 1/3, 1/4, ... as long as that helps
 * (Badoiu, Clarkson 2003).
 */
function fitAround(length: number, values: Float64Array, at: number): void {
  let minX = Infinity;
  let minY = Infinity;
  let minZ = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  let maxZ = -Infinity;
  for (let i = 0; i < length; i += 4) {
    const x = balls[i]!;
    const y = balls[i + 1]!;
    const z = balls[i + 2]!;
    const r = balls[i + 3]!;
    if (x - r < minX) minX = x - r;
    if (x + r > maxX) maxX = x + r;
    if (y - r < minY) minY = y - r;
    if (y + r > maxY) maxY = y + r;
    if (z - r < minZ) minZ = z - r;
    if (z + r > maxZ) maxZ = z + r;
  }
  let x = (minX + maxX) / 2;
  let y = (minY + maxY) / 2;
  let z = (minZ + maxZ) / 2;
  let best = Infinity;
  for (let step = 0; step <= STEPS; step++) {
    let far = 0;
    let most = -1;
    for (let i = 0; i < length; i += 4) {
      const dx = balls[i]! - x;
      const dy = balls[i + 1]! - y;
      const dz = balls[i + 2]! - z;
      const square = dx * dx + dy * dy + dz * dz;
      // Most balls are nearer: that takes no root.
      const within = most - balls[i + 3]!;
      if (within > 0 && square <= within * within) continue;
      const reach = Math.sqrt(square) + balls[i + 3]!;
      if (reach <= most) continue;
      most = reach;
      far = i;
    }
    if (most < best) {
      best = most;
      values[at] = x;
      values[at + 1] = y;
      values[at + 2] = z;
      values[at + 3] = most * UPWARDS;
    }
    const share = 1 / (step + 3);
    x += share * (balls[far]! - x);
    y += share * (balls[far + 1]! - y);
    z += share * (balls[far + 2]! - z);
  }
}

export const spheres: VolumeKind = {
  width: 4,

  fitter:
    ({ first, count, second }, { points, starts }, values) =>
    (node) => {
      let length = 0;
      if (count[node]! > MOST_TRIANGLES) length = collect(values, second, node, LEVELS, 0);
      else {
        const end = 3 * starts[first[node]! + count[node]!]!;
        for (let p = 3 * starts[first[node]!]!; p < end; p += 3) {
          balls[length] = points[p]!;
          balls[length + 1] = points[p + 1]!;
          balls[length + 2] = points[p + 2]!;
          balls[length + 3] = 0;
          length += 4;
        }
      }
      fitAround(length, values, 4 * node);
    },

  sizeOf: (values, node) => values[4 * node + 3]!,

  bound(a, b, { turn, shift }, error) {
    const at = (i: number) => turn[i]!;
    const r0 = at(0);
    const r1 = at(1);
    const r2 = at(2);
    const r3 = at(3);
    const r4 = at(4);
    const r5 = at(5);
    const r6 = at(6);
    const r7 = at(7);
    const r8 = at(8);
    const tx = shift[0]!;
    const ty = shift[1]!;
    const tz = shift[2]!;
    return (nodeA, nodeB) => {
      const i = 4 * nodeA;
      const j = 4 * nodeB;
      const x = b[j]!;
      const y = b[j + 1]!;
      const z = b[j + 2]!;
      const dx = r0 * x + r1 * y + r2 * z + tx - a[i]!;
      const dy = r3 * x + r4 * y + r5 * z + ty - a[i + 1]!;
      const dz = r6 * x + r7 * y + r8 * z + tz - a[i + 2]!;
      return Math.sqrt(dx * dx + dy * dy + dz * dz) - a[i + 3]! - b[j + 3]! - error;
    };
  },
};
