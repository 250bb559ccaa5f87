/**
 * J of single points from clusters of triangles alone (M2P): the series of every cluster whose rest is small enough,
 * solid angles for the triangles of those that never are. What a point gets depends on nothing but the clusters and the
 * tolerance. See docs/multipole.md, "Cluster sum".
 */

import {
  CLUSTER_AIM,
  CLUSTER_LEAST_STEP,
  CLUSTER_RATIO,
  CLUSTER_SHARE,
  MULTIPOLE_ROUNDING,
} from '../multipole/constants.ts';
import { MOST_POLYNOMIAL_DEGREE } from '../multipole/polynomials.ts';
import { type AngleSum, addSolidAngles } from '../potential/solid-angle.ts';
import { MOMENT_SIZE, PLACE_SIZE } from './cluster-moments.ts';
import type { ClusterTable } from './cluster-tree.ts';

/** Highest degree of which clusters have a norm. */
const DEGREE = MOST_POLYNOMIAL_DEGREE;
/** Ranges of near triangles that are summed up in one go. */
const RANGES = 512;
const LEAST_DISTANCE = 1 / CLUSTER_RATIO ** 2;
/** Where the first share is tried, in radii of the whole about its centre, along each axis. */
const TRIALS = [-0.34, 0.31];

/**
 * What a cluster may leave out at first, so that most walks need not be made again: the median of what a few places in
 * the surface's ball end with.
 */
export function firstShare(clusters: ClusterTable, tolerance: number): number {
  const [x, y, z, square] = clusters.places as unknown as [number, number, number, number];
  const radius = Math.sqrt(square);
  const trial = new ClusterSum(clusters, tolerance, CLUSTER_SHARE * tolerance);
  const sum = new Float64Array(2);
  const shares = TRIALS.flatMap((i) =>
    TRIALS.flatMap((j) => TRIALS.map((k) => trial.add(x + i * radius, y + j * radius, z + k * radius, sum))),
  );
  return shares.sort((a, b) => a - b)[shares.length / 2 - 1]!;
}

/** What a cluster may leave out in the next walk, after one that left out more than the tolerance. */
export function nextShare(most: number, tolerance: number, left: number): number {
  // What is left out in all grows with about the 2/3rd power of it.
  const step = (CLUSTER_AIM * (tolerance / left)) ** 1.5;
  return most * Math.max(step, CLUSTER_LEAST_STEP);
}

export class ClusterSum {
  readonly #clusters: ClusterTable;
  readonly #tolerance: number;
  readonly #share: number;
  readonly #ranges = new Uint32Array(2 * RANGES);
  readonly #sum = new Float64Array(2);
  /** What the clusters of the last walk left out. */
  #left = 0;

  /**
   * @param tolerance what the clusters may leave out in all
   * @param share what one may leave out at first
   */
  constructor(clusters: ClusterTable, tolerance: number, share: number) {
    this.#clusters = clusters;
    this.#tolerance = tolerance;
    this.#share = share;
  }

  /**
   * Adds J at (x, y, z), in the surface's local frame, and the bound of its error to `sum`. Returns what a cluster was
   * allowed to leave out in the end.
   */
  add(x: number, y: number, z: number, sum: AngleSum): number {
    const own = this.#sum;
    let most = this.#share;
    for (;;) {
      own.fill(0);
      this.#walk(x, y, z, most, own);
      if (this.#left <= this.#tolerance) break;
      most = nextShare(most, this.#tolerance, this.#left);
    }
    sum[0]! += own[0]!;
    sum[1]! += own[1]! + this.#left;
    return most;
  }

  /** Adds up, with clusters that leave out `most` each, at most. */
  #walk(x: number, y: number, z: number, most: number, sum: AngleSum): void {
    const { places, moments: c, next, firsts, lasts } = this.#clusters;
    const count = next.length;
    let left = 0;
    let value = 0;
    let far = 0;
    let near = 0;
    for (let node = 0; node < count; ) {
      const p = PLACE_SIZE * node;
      const dx = places[p]! - x;
      const dy = places[p + 1]! - y;
      const dz = places[p + 2]! - z;
      const square = dx * dx + dy * dy + dz * dz;
      if (square > LEAST_DISTANCE * places[p + 3]!) {
        const inverse = 1 / Math.sqrt(square);
        const t = Math.sqrt(places[p + 3]!) * inverse;
        const u = 1 / (1 - t);
        const series = u * (1 + (t * u) / (DEGREE + 1));
        const scaled = inverse * inverse * inverse;
        const rest =
          scaled * scaled * (places[p + 4]! + inverse * (places[p + 5]! + inverse * places[p + 6]! * series));
        if (rest <= most) {
          left += rest;
          far++;
          // M2P, in place: a call would be a tenth of all time. g is the direction of the cluster, of length 1.
          const m = MOMENT_SIZE * node;
          const gx = dx * inverse;
          const gy = dy * inverse;
          const gz = dz * inverse;
          const one = c[m]! * gx + c[m + 1]! * gy + c[m + 2]! * gz;
          const two =
            gx * (c[m + 3]! * gx + c[m + 4]! * gy + c[m + 5]! * gz) +
            gy * (c[m + 6]! * gy + c[m + 7]! * gz) +
            c[m + 8]! * gz * gz;
          const xx = gx * gx;
          const yy = gy * gy;
          const zz = gz * gz;
          const xy = gx * gy;
          const xz = gx * gz;
          const yz = gy * gz;
          const three =
            gx *
              (c[m + 9]! * xx +
                c[m + 10]! * xy +
                c[m + 11]! * xz +
                c[m + 12]! * yy +
                c[m + 13]! * yz +
                c[m + 14]! * zz) +
            gy * (c[m + 15]! * yy + c[m + 16]! * yz + c[m + 17]! * zz) +
            c[m + 18]! * gz * zz;
          const four =
            xx *
              (c[m + 19]! * xx +
                c[m + 20]! * xy +
                c[m + 21]! * xz +
                c[m + 22]! * yy +
                c[m + 23]! * yz +
                c[m + 24]! * zz) +
            xy * (c[m + 25]! * yy + c[m + 26]! * yz + c[m + 27]! * zz) +
            c[m + 28]! * xz * zz +
            yy * (c[m + 29]! * yy + c[m + 30]! * yz + c[m + 31]! * zz) +
            c[m + 32]! * yz * zz +
            c[m + 33]! * zz * zz;
          value += inverse * inverse * (one + inverse * (two + inverse * (three + inverse * four)));
          node = next[node]!;
          continue;
        }
      }
      if (next[node] === node + 1) {
        if (near === RANGES) near = this.#sumNear(near, x, y, z, sum);
        this.#ranges[2 * near] = firsts[node]!;
        this.#ranges[2 * near + 1] = lasts[node]!;
        near++;
      }
      node++;
    }
    if (near > 0) this.#sumNear(near, x, y, z, sum);
    sum[0]! += value;
    sum[1]! += MULTIPOLE_ROUNDING * far;
    this.#left = left;
  }

  /** Adds the solid angles of so many ranges. Returns 0: none are left. */
  #sumNear(count: number, x: number, y: number, z: number, sum: AngleSum): number {
    addSolidAngles(this.#clusters.triangles, this.#ranges, 0, count, x, y, z, sum);
    return 0;
  }
}
