/**
 * J of points outside the trees' cube from the source tree alone (M2P): from the root down, the series of eq. 20 for
 * every cluster that is far enough from the point, solid angles for triangles of clusters that never are.
 */

import { type AngleSum, addSolidAngles } from '../potential/solid-angle.ts';
import { normCount, tailSeries } from './bounds.ts';
import { MULTIPOLE_ROUNDING } from './constants.ts';
import type { MultipoleField } from './field.ts';
import { coefficientCount, irregularHarmonics } from './harmonics.ts';
import { cellCentre } from './tree.ts';

/** What the sum needs of a field. */
export type ClusterField = Pick<MultipoleField, 'source' | 'moments' | 'norms' | 'errorDegree'>;

export class OutsideSum {
  readonly #field: ClusterField;
  readonly #harmonics: Float64Array;
  readonly #range = new Uint32Array(2);
  readonly #stack: number[] = [];
  /** Largest radius of a cluster over its distance. */
  readonly #ratio: number;

  /** @param separation d of eq. 16 */
  constructor(field: ClusterField, separation: number) {
    this.#field = field;
    this.#harmonics = new Float64Array(coefficientCount(field.errorDegree));
    this.#ratio = 1 / (separation + 1);
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
      // Not for a distance of 0, which makes NaN of both.
      if (ratio < this.#ratio) {
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
