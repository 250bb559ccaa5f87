/**
 * J of single points from the source tree alone (M2P): from the root down, the series of eq. 20 for every cluster
 * that is far enough from the point, solid angles for triangles of clusters that never are. O(log N) per point,
 * without an evaluation tree, and with all moments that are known, so its bounds are far below those of L2P: it
 * serves points outside the trees' cube, and points whose bound is to be brought down. See docs/multipole.md,
 * "Cluster sum".
 */

import { type AngleSum, addSolidAngles } from '../potential/solid-angle.ts';
import type { Surface } from '../surface.ts';
import { normCount, tailSeries } from './bounds.ts';
import { CLUSTER_SUM_DEGREE, CLUSTER_SUM_LEVELS_CUT, MULTIPOLE_ROUNDING } from './constants.ts';
import { coefficientCount, irregularHarmonics } from './harmonics.ts';
import { boundNorms, type MultipoleField, type Steps, upwardSteps } from './reference.ts';
import { buildSourceTree, cellCentre, truncateSourceTree } from './tree.ts';

/** What a cluster sum needs of a field. */
export type ClusterField = Pick<MultipoleField, 'source' | 'moments' | 'norms' | 'errorDegree'>;

/** Moments for cluster sums alone: no expansions about evaluation cells, which is where the time of a set-up goes. */
export function* setUpClusters(surface: Surface): Steps<ClusterField> {
  const whole = buildSourceTree(surface);
  const source = truncateSourceTree(whole, Math.max(0, whole.depth - CLUSTER_SUM_LEVELS_CUT));
  const errorDegree = CLUSTER_SUM_DEGREE;
  const moments = yield* upwardSteps(source, errorDegree);
  const norms = boundNorms(source, moments, errorDegree);
  return { source, moments, norms, errorDegree };
}

/**
 * When a cluster is far enough: by the separation d of eq. 16, or as soon as the bound of its error is within its
 * share of a tolerance, by its part of the triangles. All shares together are the tolerance.
 */
export type Acceptance = { readonly separation: number } | { readonly tolerance: number };

export class ClusterSum {
  readonly #field: ClusterField;
  readonly #harmonics: Float64Array;
  readonly #range = new Uint32Array(2);
  readonly #stack: number[] = [];
  /** Largest radius of a cluster over its distance, and largest error per triangle. */
  readonly #ratio: number;
  readonly #error: number;

  constructor(field: ClusterField, acceptance: Acceptance) {
    this.#field = field;
    this.#harmonics = new Float64Array(coefficientCount(field.errorDegree));
    const byDistance = 'separation' in acceptance;
    this.#ratio = byDistance ? 1 / (acceptance.separation + 1) : 1;
    this.#error = byDistance ? Infinity : acceptance.tolerance / field.source.order.length;
  }

  /** Adds J at (x, y, z), in the surface's local frame, and the bound of its error to `sum`. */
  add(x: number, y: number, z: number, sum: AngleSum): void {
    const { source, norms, errorDegree } = this.#field;
    const { root, levelStarts, cells, radii, childStarts, triangles, firsts, lasts } = source;
    const stack = this.#stack;
    if (radii.length > 0) stack.push(0);
    for (let cluster = stack.pop(); cluster !== undefined; cluster = stack.pop()) {
      let level = 0;
      while (cluster >= levelStarts[level + 1]!) level++;
      const edge = root.edge * 2 ** -level;
      const dx = (x - cellCentre(root, level, cells[3 * cluster]!, 0)) / edge;
      const dy = (y - cellCentre(root, level, cells[3 * cluster + 1]!, 1)) / edge;
      const dz = (z - cellCentre(root, level, cells[3 * cluster + 2]!, 2)) / edge;
      const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
      const ratio = radii[cluster]! / distance;
      const norm = norms[normCount(errorDegree) * (cluster + 1) - 1]!;
      const error = norm * tailSeries(errorDegree, ratio) * distance ** -(errorDegree + 2);
      const most = this.#error * (lasts[cluster]! - firsts[cluster]!);
      // Not for a distance of 0, which makes NaN of both.
      if (ratio < this.#ratio && error <= most) {
        sum[0]! += this.#series(cluster, dx, dy, dz, distance);
        sum[1]! += error + MULTIPOLE_ROUNDING;
      } else if (level < source.depth) {
        for (let child = childStarts[cluster]!; child < childStarts[cluster + 1]!; child++) stack.push(child);
      } else {
        this.#range[0] = firsts[cluster]!;
        this.#range[1] = lasts[cluster]!;
        addSolidAngles(triangles, this.#range, 0, 1, x, y, z, sum);
      }
    }
  }

  /**
   * Sum of S_nm M_nm. S is taken at the unit vector, and scaled degree by degree: far off it would overflow
   * otherwise.
   */
  #series(cluster: number, dx: number, dy: number, dz: number, distance: number): number {
    const { moments, errorDegree } = this.#field;
    const harmonics = this.#harmonics;
    const at = harmonics.length * cluster;
    const f = 1 / distance;
    irregularHarmonics(errorDegree, dx * f, dy * f, dz * f, harmonics);
    let series = 0;
    let scale = f;
    for (let n = 1; n <= errorDegree; n++) {
      scale *= f;
      let degree = 0;
      for (let i = n * n; i < (n + 1) * (n + 1); i++) degree += harmonics[i]! * moments[at + i]!;
      series += scale * degree;
    }
    return series;
  }
}
