// Signed distance by GJK where the cores are apart and by EPA where they overlap: exact within the tolerance, with
// bounds. Sweep SA-GJK (L. Olvang 2010, algorithm 5) is the same with a finite reach. What GJK leaves undecided is
// decided here.

import { SHORT_DISTANCE } from '../constants.ts';
import { GjkEnd as Gjk, type GjkEnd, gjk, type SimplexAlgorithm } from '../gjk/gjk-loop.ts';
import type { Pair } from '../pair/pair.ts';
import { provenStatus } from '../pair/proven-status.ts';
import { PairStatus } from '../pair/status.ts';
import { polytopeDepth } from '../separating-axes/polytope-depth.ts';
import { EpaEnd as Epa, type EpaEnd, epa } from './epa.ts';
import { decideStuckGjk } from './stuck-gjk.ts';

/** How often the fast way was not enough. */
export interface Redone {
  /** Pairs that a slower, surer algorithm decided. */
  redone: number;
}

/** GJK. If it gets stuck with Johnson's cofactors, once more by Voronoi regions. Counts pairs that got stuck. */
function runGjk(
  pair: Pair,
  reach: number,
  decideOnly: boolean,
  simplex: SimplexAlgorithm,
  count: Redone,
): GjkEnd {
  const end = gjk(pair, reach, decideOnly, simplex);
  if (end !== Gjk.stuck) return end;
  count.redone++;
  return simplex === 'johnson' ? gjk(pair, reach, decideOnly, 'voronoi') : end;
}

/**
 * Signed distance of a pair, its normal and points.
 *
 * @param reach signed distance above which the answer is `separated`, with a lower bound for its distance
 * @param faceted true to find the depth by the faces of the difference; both cores then need faces
 */
export function gjkEpaSignedDistance(
  pair: Pair,
  reach: number,
  simplex: SimplexAlgorithm,
  count: Redone,
  faceted = false,
): PairStatus {
  const end: GjkEnd = runGjk(pair, reach, false, simplex, count);
  if (end === Gjk.beyond) return answerBeyond(pair);
  if (end === Gjk.inside && faceted && polytopeDepth(pair, -pair.lower)) return PairStatus.converged;
  const isApart = end === Gjk.met || (end === Gjk.stuck && decideStuckGjk(pair));
  const status = isApart ? answerApart(pair) : statusOf(pair, epa(pair, false));
  if (!(pair.lower > reach && pair.distance > reach + pair.touching)) return status;
  // What GJK got stuck on, or took for overlapping, turned out to be beyond the reach.
  pair.distance = pair.lower;
  pair.upper = Infinity;
  return PairStatus.separated;
}

/** `converged` where shapes intersect, `separated`, or `touching`. */
export function gjkIntersection(pair: Pair, simplex: SimplexAlgorithm, count: Redone): PairStatus {
  const end = runGjk(pair, 0, true, simplex, count);
  if (end === Gjk.beyond) return PairStatus.separated;
  if (end === Gjk.inside) return PairStatus.converged;
  const margins = pair.marginA + pair.marginB;
  const { touching } = pair;
  if (end === Gjk.near && margins > touching) return PairStatus.converged;
  if (end === Gjk.met) return sideOf(pair.upper - margins, touching);
  if (end === Gjk.stuck && decideStuckGjk(pair)) return sideOf(pair.upper - margins, touching);
  epa(pair, true);
  return sideOf(pair.upper, touching);
}

/** Distance from below, along the best separating axis. */
function answerBeyond(pair: Pair): PairStatus {
  const { normal } = pair;
  pair.answerSeparated(pair.lower, normal[0]!, normal[1]!, normal[2]!);
  return PairStatus.separated;
}

/**
 * Distance by GJK alone. Where the shapes intersect it is 0: their depth is not measured. Normal and points are then
 * some direction and points in which they overlap, not those of the least depth.
 */
export function gjkDistance(pair: Pair, simplex: SimplexAlgorithm, count: Redone): PairStatus {
  const end = runGjk(pair, Infinity, false, simplex, count);
  if (end === Gjk.met || (end === Gjk.stuck && decideStuckGjk(pair))) {
    const status = answerApart(pair);
    if (pair.distance < 0) pair.distance = 0;
    return status;
  }
  // Cores without margins that meet in their boundaries only touch. EPA's sign says so, and its depth comes with it.
  const ended = epa(pair, true);
  const overlaps = pair.distance < -pair.touching;
  const status = overlaps && ended === Epa.met ? PairStatus.converged : statusOf(pair, ended);
  if (pair.distance < 0) pair.leaveOutDepth();
  return status;
}

/**
 * What an upper bound of the signed distance proves: the shapes overlap, or come as near as touching. Else they are
 * apart.
 */
function sideOf(upper: number, touching: number): PairStatus {
  if (upper > touching) return PairStatus.separated;
  return upper < -touching ? PairStatus.converged : PairStatus.touching;
}

/** Answer from GJK's simplex, outside the cores. */
function answerApart(pair: Pair): PairStatus {
  const { nearest, normal } = pair;
  const margins = pair.marginA + pair.marginB;
  const length = Math.sqrt(nearest[0]! ** 2 + nearest[1]! ** 2 + nearest[2]! ** 2);
  pair.weigh();
  if (length > SHORT_DISTANCE * pair.size) {
    pair.answer(length, -nearest[0]! / length, -nearest[1]! / length, -nearest[2]! / length);
  } else {
    // A support plane proves the axis of the best lower bound. The nearest point's direction is mostly rounding.
    pair.answer(length, normal[0]!, normal[1]!, normal[2]!);
  }
  pair.lower -= margins;
  pair.upper -= margins;
  return statusOf(pair, Epa.met);
}

function statusOf(pair: Pair, end: EpaEnd): PairStatus {
  const proven = provenStatus(pair);
  return proven === PairStatus.touching || end === Epa.met ? proven : PairStatus.degenerate;
}
