// How one pair is solved: which algorithm runs for which kind of query, and which one decides when it does not.
import { BoxEnd, boxAxes } from './box-axes.ts';
import { exactDistance, exactIntersection, exactSeparation, type Redone } from './exact.ts';
import { mprIntersection, mprPenetration } from './mpr.ts';
import { Pair } from './pair.ts';
import { Polytope } from './polytope.ts';
import { ballsOverlap, hasFacets, polytopeAxes } from './polytope-axes.ts';
import type { ShapeRecords } from './records.ts';
import { mprSignedDistance } from './signed-distance.ts';
import { PairStatus } from './status.ts';

/** What to find out about each pair; docs/convex.md says what every kind returns. */
export type PairKind = 'intersect' | 'distance' | 'penetration' | 'signed-distance' | 'manifold';
export const PAIR_KINDS: readonly PairKind[] = [
  'intersect',
  'distance',
  'penetration',
  'signed-distance',
  'manifold',
];

/**
 * `auto`: the answers of `gjk` by whatever is fastest; `gjk`: GJK, with EPA behind it; `gjk-johnson` the same with Johnson's
 * sub-algorithm; `sweep-gjk`: the same, but no farther than twice `sweepRadius`; `mpr`: Minkowski Portal Refinement.
 */
export type PairAlgorithm = 'auto' | 'gjk' | 'gjk-johnson' | 'sweep-gjk' | 'mpr';
export const PAIR_ALGORITHMS: readonly PairAlgorithm[] = ['auto', 'gjk', 'gjk-johnson', 'sweep-gjk', 'mpr'];

/** How to solve pairs. */
export interface SolverOptions {
  readonly kind: PairKind;
  readonly algorithm: PairAlgorithm;
  /** Gap between the bounds of a distance, relative to the pair's size. */
  readonly tolerance: number;
  /** Radius that `sweep-gjk` sweeps each shape with. Length. */
  readonly sweepRadius: number;
}

/** Signed distance above which pairs are only told apart; Infinity where every distance is wanted. */
export function reachOf({ kind, algorithm, sweepRadius }: Omit<SolverOptions, 'tolerance'>): number {
  if (kind === 'intersect') return 0;
  if (algorithm === 'sweep-gjk') return 2 * sweepRadius;
  return kind === 'distance' || kind === 'signed-distance' ? Infinity : 0;
}

/** Whether the depth of pairs that overlap is found. Kind `distance` leaves it out, but for sweeps, whose reach may lie in it. */
export function findsDepth({ kind, algorithm }: Pick<SolverOptions, 'kind' | 'algorithm'>): boolean {
  return kind !== 'intersect' && (kind !== 'distance' || algorithm === 'sweep-gjk');
}

let polytope: Polytope | undefined;

/** A quarter of a megabyte, which queries of one pair should not have to clear each time. */
function sharedPolytope(): Polytope {
  polytope ??= new Polytope();
  return polytope;
}

function leaveOutDepth(pair: Pair): void {
  pair.distance = 0;
  pair.lower = -Infinity;
  pair.upper = 0;
}

/** Solves one pair at a time: put it in with `pair.place`, call `solve`, read the answer from `pair`. */
export class PairSolver {
  readonly pair: Pair;
  readonly #kind: PairKind;
  readonly #algorithm: PairAlgorithm;
  readonly #reach: number;
  readonly #findsDepth: boolean;
  readonly #polytope = sharedPolytope();
  readonly #count: Redone = { redone: 0 };

  constructor(table: ShapeRecords, options: SolverOptions) {
    this.#kind = options.kind;
    this.#algorithm = options.algorithm;
    this.#reach = reachOf(options);
    this.#findsDepth = findsDepth(options);
    this.pair = new Pair(table);
    this.pair.tolerance = options.tolerance;
  }

  /** Pairs so far that the algorithm asked for left undecided and a surer one decided. */
  get redone(): number {
    return this.#count.redone;
  }

  /** Solves the pair that is in `pair`; its answer is there afterwards, in A's frame. */
  solve(): PairStatus {
    const { pair } = this;
    const polytope = this.#polytope;
    const count = this.#count;
    const kind = this.#kind;
    const simplex = this.#algorithm === 'gjk-johnson' ? 'johnson' : 'voronoi';
    if (this.#algorithm === 'mpr') {
      const status =
        kind === 'intersect'
          ? mprIntersection(pair)
          : kind === 'penetration' || kind === 'manifold'
            ? mprPenetration(pair)
            : mprSignedDistance(pair);
      if (status !== PairStatus.iterationLimit) {
        // That they overlap is all that is wanted of a depth here.
        if (kind !== 'distance' || pair.distance >= 0 || status === PairStatus.touching) return status;
        leaveOutDepth(pair);
        return PairStatus.converged;
      }
      count.redone++;
    }
    const reach = this.#reach;
    // Boxes with disjoint bounding spheres are mostly nearest at corners, whose distance no axis knows.
    if (this.#algorithm === 'auto' && pair.boxA && pair.boxB && !(reach === Infinity && pair.isFarApart)) {
      const end = boxAxes(pair, reach);
      if (end === BoxEnd.beyond) return PairStatus.separated;
      if (end === BoxEnd.found) {
        const { distance, touching } = pair;
        if (kind === 'distance' && distance < 0) leaveOutDepth(pair);
        return Math.abs(distance) <= touching ? PairStatus.touching : PairStatus.converged;
      }
    }
    if (kind === 'intersect') return exactIntersection(pair, polytope, simplex, count);
    if (!this.#findsDepth) return exactSeparation(pair, polytope, simplex, count);
    const faceted = this.#algorithm === 'auto' && hasFacets(pair);
    if (faceted && ballsOverlap(pair) && polytopeAxes(pair, Infinity)) return PairStatus.converged;
    return exactDistance(pair, polytope, reach, simplex, count, faceted);
  }
}
