// Separating axes of two box cores: S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree" (1996). These are boxes and all
// shapes that have one for a core: points, segments, rectangles, spheres, capsules, lozenges, round boxes.
// Twin: shaders/convex/separating-axes/box-axes.wgsl.
//
// A - B is a polytope. Its faces have the normals of A's and B's faces, or are spanned by an edge of each. So the
// signed distance of overlapping cores is the largest of 15 separations, exactly. Any positive separation proves that
// the cores are apart. Flat boxes are limits of thick ones, and the depth is continuous in their extents. The cross
// product of A's axis i and B's axis j is column j of the rotation, with component i left out. Nothing cancels in it,
// however nearly parallel the axes are.
import { LEAST_AXIS, NEARLY_PARALLEL } from '../constants.ts';
import { NEWEST, type Pair } from '../pair/pair.ts';
import { answerAlong } from './box-points.ts';

export const BoxEnd = {
  /** The signed distance is that along the best axis: the answer is in the pair. */
  found: 0,
  /** The shapes are farther apart than the reach: `lower`, `normal` and the support points along it are in the pair. */
  beyond: 1,
  /** Not decided here: corners may be nearest to each other, for instance. `guess` is the best axis. */
  open: 2,
} as const;

export type BoxEnd = (typeof BoxEnd)[keyof typeof BoxEnd];

/** Unit normal along the best axis, out of A and towards B. */
const n = new Float64Array(3);

/** Separation of the best axis so far, and the axis: 0 to 2 A's, 3 to 5 B's, 6 + 3 i + j their cross products. */
const best = new Float64Array(2);

/**
 * Depth of two box cores, their distance, or a separating axis.
 *
 * @param reach signed distance of the shapes above which the caller wants no distance
 */
export function boxAxes(pair: Pair, reach: number): BoxEnd {
  const { touching } = pair;
  const margins = pair.marginA + pair.marginB;
  // Computed as distances are: rounding cannot give a pair within the reach a distance above the reach.
  const isBeyond = () => best[0]! - margins > reach + touching;
  pair.calls++;
  faceAxes(pair);
  if (!isBeyond()) for (let i = 0; i < 3; i++) edgeAxes(pair, i);
  const separation = best[0]!;
  setNormal(pair, best[1]!);
  if (isBeyond()) return answerBeyond(pair, separation);
  if (Math.abs(separation) > touching && answerAlong(pair, n, best[1]!, separation)) return BoxEnd.found;
  pair.guess.set(n);
  return BoxEnd.open;
}

function faceAxes(pair: Pair): void {
  const p = pair.table.parameters;
  const m = pair.placement;
  const a = pair.recordA;
  const b = pair.recordB;
  const ax = p[a]!;
  const ay = p[a + 1]!;
  const az = p[a + 2]!;
  const bx = p[b]!;
  const by = p[b + 1]!;
  const bz = p[b + 2]!;
  let most = -Infinity;
  let chosen = 0;
  for (let i = 0; i < 3; i++) {
    const k = 3 * i;
    const spread = bx * Math.abs(m[k]!) + by * Math.abs(m[k + 1]!) + bz * Math.abs(m[k + 2]!);
    const s = Math.abs(m[9 + i]!) - (p[a + i]! + spread);
    if (s > most) {
      most = s;
      chosen = i;
    }
  }
  const tx = m[9]!;
  const ty = m[10]!;
  const tz = m[11]!;
  for (let j = 0; j < 3; j++) {
    const x = m[j]!;
    const y = m[3 + j]!;
    const z = m[6 + j]!;
    const spread = ax * Math.abs(x) + ay * Math.abs(y) + az * Math.abs(z);
    const s = Math.abs(tx * x + ty * y + tz * z) - (p[b + j]! + spread);
    if (s > most) {
      most = s;
      chosen = 3 + j;
    }
  }
  best[0] = most;
  best[1] = chosen;
}

/** Cross products of A's axis i and B's axes. */
function edgeAxes(pair: Pair, i: number): void {
  const p = pair.table.parameters;
  const m = pair.placement;
  const u = i === 2 ? 0 : i + 1;
  const v = i === 0 ? 2 : i - 1;
  const tu = m[9 + u]!;
  const tv = m[9 + v]!;
  const au = p[pair.recordA + u]!;
  const av = p[pair.recordA + v]!;
  const b = pair.recordB;
  for (let j = 0; j < 3; j++) {
    const k = j === 2 ? 0 : j + 1;
    const l = j === 0 ? 2 : j - 1;
    // The axis is -y along u and x along v.
    const x = m[3 * u + j]!;
    const y = m[3 * v + j]!;
    const squared = x * x + y * y;
    let spread: number;
    if (squared > NEARLY_PARALLEL) {
      spread = p[b + k]! * Math.abs(m[3 * i + l]!) + p[b + l]! * Math.abs(m[3 * i + k]!);
    } else if (squared > LEAST_AXIS) {
      // The same. Here the axis is short, and errors have to be as small as it is.
      spread =
        p[b + k]! * Math.abs(x * m[3 * v + k]! - y * m[3 * u + k]!) +
        p[b + l]! * Math.abs(x * m[3 * v + l]! - y * m[3 * u + l]!);
    } else {
      continue;
    }
    const s = Math.abs(x * tv - y * tu) - (au * Math.abs(y) + av * Math.abs(x) + spread);
    const most = best[0]!;
    // The axis is no longer than 1. If an overlap is more than the best before dividing by that length, it is so after.
    if (s <= most && s <= 0) continue;
    const separation = s / Math.sqrt(squared);
    if (separation <= most) continue;
    best[0] = separation;
    best[1] = 6 + 3 * i + j;
  }
}

/** Unit vector along an axis, out of A and towards B, into `n`. */
function setNormal(pair: Pair, chosen: number): void {
  const m = pair.placement;
  let x = 0;
  let y = 0;
  let z = 0;
  if (chosen < 3) {
    x = chosen === 0 ? 1 : 0;
    y = chosen === 1 ? 1 : 0;
    z = chosen === 2 ? 1 : 0;
  } else if (chosen < 6) {
    x = m[chosen - 3]!;
    y = m[chosen]!;
    z = m[chosen + 3]!;
  } else {
    const i = chosen < 9 ? 0 : chosen < 12 ? 1 : 2;
    const j = chosen - 6 - 3 * i;
    const u = i === 2 ? 0 : i + 1;
    const v = i === 0 ? 2 : i - 1;
    n[i] = 0;
    n[u] = -m[3 * v + j]!;
    n[v] = m[3 * u + j]!;
    x = n[0]!;
    y = n[1]!;
    z = n[2]!;
    const s = 1 / Math.sqrt(x * x + y * y + z * z);
    x *= s;
    y *= s;
    z *= s;
  }
  const s = x * m[9]! + y * m[10]! + z * m[11]! < 0 ? -1 : 1;
  n[0] = s * x;
  n[1] = s * y;
  n[2] = s * z;
}

/** Distance from below, the separating axis, and the support points along it. */
function answerBeyond(pair: Pair, separation: number): BoxEnd {
  const { points } = pair;
  pair.core(n[0]!, n[1]!, n[2]!, points, NEWEST);
  pair.calls--;
  pair.answerSeparated(separation, n[0]!, n[1]!, n[2]!);
  return BoxEnd.beyond;
}
