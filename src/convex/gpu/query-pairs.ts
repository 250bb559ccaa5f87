// What the pairs of a query come to: pairs of convex parts, and the bodies of a slice.
import type { ResolvedPairQuery } from '../query/pair-query.ts';
import { POSE_SIZE } from '../shapes/pose.ts';
import type { PairShapes } from './pair-shapes.ts';

export class QueryPairs {
  /** Convex bodies of all bodies. */
  readonly convexBodies: number;
  readonly #query: ResolvedPairQuery;
  /** Parts of each body; undefined where all are convex. */
  readonly #parts: Uint32Array | undefined;

  constructor(query: ResolvedPairQuery, shapes: PairShapes) {
    this.#query = query;
    if (shapes.isConcave) this.#parts = query.shapes.map((shape) => shapes.partCount(shape));
    this.convexBodies = this.#parts?.reduce((sum, parts) => sum + parts, 0) ?? query.shapes.length;
  }

  /** Pairs of parts of pairs `first` to before `end`. */
  partPairs(first: number, end: number): number {
    if (this.#parts === undefined) return end - first;
    let sum = 0;
    for (let i = first; i < end; i++) sum += this.#partsOf(i);
    return sum;
  }

  /**
   * The end of the pairs from `first` on that come to at most `slots` pairs of parts, `end` at most, and at least one.
   */
  fitting(first: number, end: number, slots: number): number {
    if (this.#parts === undefined) return Math.min(end, first + slots);
    let sum = this.#partsOf(first);
    let i = first + 1;
    while (i < end && (sum += this.#partsOf(i)) <= slots) i++;
    return i;
  }

  /** Only the bodies that pairs `first` to before `end` name, and the pairs with their places among these. */
  withBodies(first: number, end: number) {
    const { pairs, poses, shapes } = this.#query;
    const places = new Map<number, number>();
    const renamed = pairs.slice(2 * first, 2 * end);
    renamed.forEach((body, i) => {
      let place = places.get(body);
      if (place === undefined) places.set(body, (place = places.size));
      renamed[i] = place;
    });
    const own = poses.slice(0, POSE_SIZE * places.size);
    for (const [body, place] of places) {
      own.set(poses.subarray(POSE_SIZE * body, POSE_SIZE * (body + 1)), POSE_SIZE * place);
    }
    return { pairs: renamed, poses: own, shapes: Uint32Array.from(places.keys(), (body) => shapes[body]!) };
  }

  #partsOf(pair: number): number {
    const { pairs } = this.#query;
    return this.#parts![pairs[2 * pair]!]! * this.#parts![pairs[2 * pair + 1]!]!;
  }
}
