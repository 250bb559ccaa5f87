/**
 * Branch and bound over two trees (Lennerz, Schömer, Warken, section 2.4): pairs of nodes with lower bounds of their
 * distances. A pair whose bound is not below the least distance found so far is given up.
 */
import type { Strategy } from '../names.ts';
import type { Placement } from '../pose.ts';
import { type BoundingTree, boundError, partsFirst, reachOf } from '../tree/bounding-tree.ts';
import type { PairBound } from '../tree/volume.ts';
import { LeafTriangles } from './leaf-triangles.ts';
import { NodePairs } from './node-pairs.ts';
import { TriangleDistance } from './triangle-distance.ts';

export class DistanceSearch {
  /** Pairs of nodes looked at. */
  visited = 0;
  /** Triangles of the closest points, by place in the trees; -1 where there are none below `within`. */
  placeA = -1;
  placeB = -1;
  /** Whether the volumes of both meshes are apart: they are convex, so nothing of one is inside the other. */
  readonly isApart: boolean;
  readonly triangles = new TriangleDistance();
  readonly #a: BoundingTree;
  readonly #b: BoundingTree;
  readonly #ofA: LeafTriangles;
  readonly #ofB: LeafTriangles;
  readonly #bound: PairBound;
  readonly #pairs: NodePairs;
  /** Squared. */
  #best: number;
  #upper: number;
  /** From the closest point of a to that of b: along it triangles near these are about as far apart as they are. */
  readonly #along = new Float64Array(3);
  /** Triangles that are so far apart along it are no nearer than the points: with what rounding may add. */
  #enough = Infinity;
  readonly #error: number;

  /**
   * @param placement b in the frame of a
   * @param within longer distances are of no interest
   */
  constructor(a: BoundingTree, b: BoundingTree, placement: Placement, strategy: Strategy, within = Infinity) {
    this.#a = a;
    this.#b = b;
    // Of two points of the bodies: sums of absolute components are below twice a length.
    const far = 2 * reachOf(a, b, placement);
    this.#ofA = new LeafTriangles(a, far);
    this.#ofB = new LeafTriangles(b, far, placement);
    this.#error = boundError(a, b, placement);
    this.#bound = a.volumes.bound(a.arrays.values, b.arrays.values, placement, this.#error);
    this.#pairs = new NodePairs(strategy === 'best-first');
    // With 0 only common points are of interest.
    this.#best = Math.max(within * within, Number.MIN_VALUE);
    this.#upper = Math.max(within, Number.MIN_VALUE);
    const whole = this.#bound(0, 0, this.#upper);
    this.isApart = whole > 0;
    this.#pairs.push(whole, 0, 0);
    // Whenever it is stopped, the search has two points.
    if (within === Infinity) this.#look(0, 0, 1, 1);
  }

  /** The least distance found, or `within`. */
  get upper(): number {
    return this.#upper;
  }

  /** What the distance is not below, where it is below `within`. */
  get lower(): number {
    return Math.max(0, Math.min(this.#pairs.leastKey(), this.#upper));
  }

  /** Goes on until all is known, or so many pairs have been looked at in all. Returns whether all is known. */
  run(visits: number): boolean {
    const pairs = this.#pairs;
    const secondA = this.#a.arrays.second;
    const secondB = this.#b.arrays.second;
    while (this.visited < visits) {
      if (this.#upper === 0 || !pairs.pop(this.#upper)) return true;
      this.visited++;
      const { nodeA, nodeB } = pairs;
      const otherA = secondA[nodeA]!;
      const otherB = secondB[nodeB]!;
      if (otherA === 0 && otherB === 0) {
        this.#lookAtLeaves(nodeA, nodeB);
        continue;
      }
      if (partsFirst(this.#a, nodeA, this.#b, nodeB)) this.#pushTwo(nodeA + 1, nodeB, otherA, nodeB);
      else this.#pushTwo(nodeA, nodeB + 1, nodeA, otherB);
    }
    return this.lower >= this.#upper;
  }

  #pushTwo(a1: number, b1: number, a2: number, b2: number): void {
    // Volumes of children may reach out of their parent's, what they hold does not: bounds only rise.
    const { key } = this.#pairs;
    const one = Math.max(key, this.#bound(a1, b1, this.#upper));
    const other = Math.max(key, this.#bound(a2, b2, this.#upper));
    // The last one in is the first one out of a stack.
    if (one < other) {
      if (other < this.#upper) this.#pairs.push(other, a2, b2);
      if (one < this.#upper) this.#pairs.push(one, a1, b1);
    } else {
      if (one < this.#upper) this.#pairs.push(one, a1, b1);
      if (other < this.#upper) this.#pairs.push(other, a2, b2);
    }
  }

  #lookAtLeaves(leafA: number, leafB: number): void {
    const { first, count } = this.#a.arrays;
    const { first: firstB, count: countB } = this.#b.arrays;
    this.#look(first[leafA]!, firstB[leafB]!, count[leafA]!, countB[leafB]!);
  }

  /** Looks at pairs of triangles, from these places on. */
  #look(beginA: number, beginB: number, ofA: number, ofB: number): void {
    const a = this.#ofA;
    const b = this.#ofB;
    a.take(beginA, ofA);
    b.take(beginB, ofB);
    const nearA = a.findNear(b, this.#best);
    const nearB = nearA > 0 ? b.findNear(a, this.#best) : 0;
    if (nearB === 0) return;
    a.project(this.#along);
    b.project(this.#along);
    for (let n = 0; n < nearA; n++) {
      for (let m = 0; m < nearB; m++) {
        // Nothing is nearer, and the points stay those of the triangles that are named.
        if (this.#best === 0) return;
        const i = a.near[n]!;
        const j = b.near[m]!;
        if (b.spans[2 * j]! - a.spans[2 * i + 1]! >= this.#enough) continue;
        if (a.gap(i, b, j) >= this.#best) continue;
        const found = this.triangles.find(a.values, a.prepare(i), b.values, b.prepare(j), this.#best);
        if (found >= this.#best) continue;
        this.#best = found;
        this.#upper = Math.sqrt(found);
        this.placeA = beginA + i;
        this.placeB = beginB + j;
        this.#turn();
        a.project(this.#along);
        b.project(this.#along);
      }
    }
  }

  /** Turns the direction to the points that are closest now. Where they are one point but for rounding, none tells. */
  #turn(): void {
    const { pointA, pointB } = this.triangles;
    const x = pointB[0]! - pointA[0]!;
    const y = pointB[1]! - pointA[1]!;
    const z = pointB[2]! - pointA[2]!;
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length === 0) {
      this.#enough = Infinity;
      return;
    }
    this.#along[0] = x / length;
    this.#along[1] = y / length;
    this.#along[2] = z / length;
    this.#enough = this.#upper + this.#error;
  }
}
