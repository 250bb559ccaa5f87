// How one pair is solved: which algorithm runs for which kind of query, and which one decides when it does not.

import { gjkDistance, gjkEpaSignedDistance, gjkIntersection, type Redone } from '../epa/gjk-epa.ts';
import { mprIntersection } from '../mpr/mpr-intersection.ts';
import { mprPenetration } from '../mpr/mpr-penetration.ts';
import { mprSignedDistance } from '../mpr/mpr-signed-distance.ts';
import { Pair } from '../pair/pair.ts';
import { PairStatus } from '../pair/status.ts';
import {
  findsDepth,
  type PairAlgorithm,
  type PairKind,
  reachOf,
  refinesPortals,
  type SolverOptions,
} from '../query/pair-kinds.ts';
import { BoxEnd, boxAxes } from '../separating-axes/box-axes.ts';
import { hasFacets, innerBallsOverlap, polytopeDepth } from '../separating-axes/polytope-depth.ts';
import type { ShapeRecords } from '../shapes/records.ts';

/** Solves one pair at a time: put it in with `pair.place`, call `solve`, read the answer from `pair`. */
export class PairSolver {
  readonly pair: Pair;
  readonly #kind: PairKind;
  readonly #algorithm: PairAlgorithm;
  readonly #reach: number;
  readonly #findsDepth: boolean;
  readonly #count: Redone = { redone: 0 };

  constructor(table: ShapeRecords, options: SolverOptions) {
    this.#kind = options.kind;
    this.#algorithm = options.algorithm;
    this.#reach = reachOf(options);
    this.#findsDepth = findsDepth(options);
    this.pair = new Pair(table);
    this.pair.tolerance = options.tolerance;
    this.pair.knowsInball = options.algorithm !== 'mpr-olvang';
  }

  /** Pairs so far that the algorithm asked for left undecided and a surer one decided. */
  get redone(): number {
    return this.#count.redone;
  }

  /** Solves the pair that is in `pair`; its answer is there afterwards, in A's frame. */
  solve(): PairStatus {
    const { pair } = this;
    const count = this.#count;
    const kind = this.#kind;
    const simplex = this.#algorithm === 'gjk-johnson' ? 'johnson' : 'voronoi';
    if (refinesPortals(this.#algorithm)) {
      const status =
        kind === 'intersect'
          ? mprIntersection(pair)
          : kind === 'penetration' || kind === 'manifold'
            ? mprPenetration(pair)
            : mprSignedDistance(pair);
      if (status !== PairStatus.iterationLimit) {
        // Kind `distance` wants to know only that they overlap.
        if (kind !== 'distance' || pair.distance >= 0 || status === PairStatus.touching) return status;
        pair.leaveOutDepth();
        return PairStatus.converged;
      }
      count.redone++;
    }
    const reach = this.#reach;
    // Boxes with disjoint bounding spheres are mostly nearest at corners. No axis has the distance of corners.
    if (this.#algorithm === 'auto' && pair.boxA && pair.boxB && !(reach === Infinity && pair.isFarApart)) {
      const end = boxAxes(pair, reach);
      if (end === BoxEnd.beyond) return PairStatus.separated;
      if (end === BoxEnd.found) {
        const { distance, touching } = pair;
        if (kind === 'distance' && distance < 0) pair.leaveOutDepth();
        return Math.abs(distance) <= touching ? PairStatus.touching : PairStatus.converged;
      }
    }
    if (kind === 'intersect') return gjkIntersection(pair, simplex, count);
    if (!this.#findsDepth) return gjkDistance(pair, simplex, count);
    const faceted = this.#algorithm === 'auto' && hasFacets(pair);
    if (faceted && innerBallsOverlap(pair) && polytopeDepth(pair, Infinity)) return PairStatus.converged;
    return gjkEpaSignedDistance(pair, reach, simplex, count, faceted);
  }
}
