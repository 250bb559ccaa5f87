// The point of a simplex nearest to the origin by Johnson's distance algorithm: L. Olvang (2010), section 2.3.1, eqs.
// (6) to (9); E. G. Gilbert, D. W. Johnson, S. S. Keerthi (1988). Twin: shaders/convex/gjk/gjk-johnson.wgsl.
//
// Cofactors of a subset come from those of subsets that are one point smaller:
//
//   C_j(Y + y_j) = sum over i in Y of C_i(Y) (y_k - y_j) . y_i,   k the first of Y          (9)
//
// One subset has positive cofactors only, and adding any other point gives that point none. This subset holds the
// nearest point. Cofactors are products of up to three dot products and lose digits on slivers. If rounding lets no
// subset pass, the nearest point of all subsets with positive cofactors is taken: Gilbert's backup. GJK notices an
// answer that is not the nearest, since its bounds do not meet then.
import { type Pair, POINT } from '../pair/pair.ts';
import { holdsOrigin } from './tetrahedron.ts';

const dots = new Float64Array(16);
/** Cofactor of point j in the subset with the bits s: `cofactors[4 * s + j]`. */
const cofactors = new Float64Array(64);
const point = new Float64Array(3);

/**
 * Reduces the simplex in slots 0 .. count - 1 to the feature nearest to the origin; sets `nearest` and `weights`.
 *
 * @returns true if a tetrahedron contains the origin; it is left as it is.
 */
export function nearestByJohnson(pair: Pair): boolean {
  const { points, count } = pair;
  for (let i = 0; i < count; i++) {
    for (let j = 0; j <= i; j++) {
      const a = POINT * i;
      const b = POINT * j;
      const dot = points[a]! * points[b]! + points[a + 1]! * points[b + 1]! + points[a + 2]! * points[b + 2]!;
      dots[4 * i + j] = dot;
      dots[4 * j + i] = dot;
    }
  }
  const all = (1 << count) - 1;
  for (let i = 0; i < count; i++) cofactors[4 * (1 << i) + i] = 1;
  // Subsets in ascending order: all smaller ones are there before.
  for (let s = 1; s < all; s++) {
    const k = firstOf(s);
    for (let j = 0; j < count; j++) {
      if ((s >> j) & 1) continue;
      let sum = 0;
      for (let i = 0; i < count; i++) {
        if ((s >> i) & 1) sum += cofactors[4 * s + i]! * (dots[4 * k + i]! - dots[4 * j + i]!);
      }
      cofactors[4 * (s | (1 << j)) + j] = sum;
    }
  }
  let chosen = 0;
  for (let s = 1; s <= all && chosen === 0; s++) {
    if (isPositive(s, count) && !canGrow(s, count)) chosen = s;
  }
  if (chosen === 0) chosen = nearestSubset(pair, all);
  // Rounding may make all four cofactors positive for an origin beside a flat tetrahedron.
  if (chosen === 15 && holdsOrigin(pair.points)) return true;
  if (chosen === 15) chosen = nearestSubset(pair, all);
  keepSubset(pair, chosen);
  return false;
}

function firstOf(subset: number): number {
  return subset & 1 ? 0 : subset & 2 ? 1 : subset & 4 ? 2 : 3;
}

function isPositive(subset: number, count: number): boolean {
  for (let i = 0; i < count; i++) {
    if ((subset >> i) & 1 && !(cofactors[4 * subset + i]! > 0)) return false;
  }
  return true;
}

function canGrow(subset: number, count: number): boolean {
  for (let j = 0; j < count; j++) {
    if (!((subset >> j) & 1) && cofactors[4 * (subset | (1 << j)) + j]! > 0) return true;
  }
  return false;
}

function nearestSubset(pair: Pair, all: number): number {
  let best = 1;
  let least = Infinity;
  // The tetrahedron is left out. It would always win, with a point that rounding put into it.
  for (let s = 1; s <= all && s < 15; s++) {
    if (!isPositive(s, pair.count)) continue;
    const squared = combine(pair, s);
    if (squared < least) {
      least = squared;
      best = s;
    }
  }
  return best;
}

/** Nearest point of a subset's affine hull into `point`, eqs. (7) and (8); its squared length. */
function combine(pair: Pair, subset: number): number {
  const { points, count } = pair;
  let whole = 0;
  for (let i = 0; i < count; i++) if ((subset >> i) & 1) whole += cofactors[4 * subset + i]!;
  point.fill(0);
  for (let i = 0; i < count; i++) {
    if (!((subset >> i) & 1)) continue;
    const weight = cofactors[4 * subset + i]! / whole;
    for (let k = 0; k < 3; k++) point[k]! += weight * points[POINT * i + k]!;
  }
  return point[0]! * point[0]! + point[1]! * point[1]! + point[2]! * point[2]!;
}

function keepSubset(pair: Pair, subset: number): void {
  const { points, weights, nearest } = pair;
  combine(pair, subset);
  let whole = 0;
  for (let i = 0; i < pair.count; i++) if ((subset >> i) & 1) whole += cofactors[4 * subset + i]!;
  let kept = 0;
  for (let i = 0; i < pair.count; i++) {
    if (!((subset >> i) & 1)) continue;
    weights[kept] = cofactors[4 * subset + i]! / whole;
    if (kept !== i) for (let k = 0; k < POINT; k++) points[POINT * kept + k] = points[POINT * i + k]!;
    kept++;
  }
  pair.count = kept;
  nearest.set(point);
}
