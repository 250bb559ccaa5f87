/** The potentials of one body: set up when first used, kept until the body is destroyed. */

import type { Backend } from '../../gpu/backend.ts';
import type { Device } from '../../gpu/device.ts';
import { unbalancedHalfEdges } from '../../mesh/balance.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import type { MethodRun } from '../method.ts';
import { gatherPoints } from '../potential/gather-points.ts';
import type { Potential } from '../potential/potential.ts';
import { capTriangles } from './caps.ts';
import {
  LEAST_CLUSTER_SUM_TOLERANCE,
  MOST_TRIANGLES_SUMMED_DIRECTLY,
  TRUNCATION_SHARE,
} from './constants.ts';
import { createPotential, type PotentialOptions } from './create-potential.ts';
import type { PotentialChoice } from './potential-choice.ts';
import type { CpuPotential } from './potential-cpu.ts';

/** J of some points and its bound, in float64. */
export interface PreciseValues {
  readonly values: Float64Array;
  readonly bounds: Float64Array;
}

export interface SharpenOptions {
  readonly run: MethodRun;
  /** What cluster sums are to reach. */
  readonly tolerance: number;
  /** Whether a value with its bound is good enough. */
  readonly isSettled: (value: number, bound: number) => boolean;
}

export class Potentials {
  readonly #mesh: TriangleMesh;
  readonly #threads: number | undefined;
  /** By all that they depend on. */
  readonly #kept = new Map<string, Potential>();
  #caps: Uint32Array | undefined;
  #clusters: CpuPotential | undefined;
  #direct: CpuPotential | undefined;

  constructor(mesh: TriangleMesh, threads: number | undefined) {
    this.#mesh = mesh;
    this.#threads = threads;
  }

  /** Triangles that close the mesh, three vertices each: none of a closed, consistently oriented one. */
  get caps(): Uint32Array {
    this.#caps ??= capTriangles(unbalancedHalfEdges(this.#mesh.indices, this.#mesh.vertexCount));
    return this.#caps;
  }

  /**
   * @param watch what stops a set-up, and is told how much of it is done
   */
  async get(
    choice: PotentialChoice,
    backend: Backend,
    device: Device | undefined,
    watch: Pick<PotentialOptions, 'signal' | 'onProgress'> = {},
  ): Promise<Potential> {
    const { kind, degree, separation, depth, points } = choice;
    // A tree that `auto` refined for other numbers of points is as right, and setting up takes long.
    const expansion = [degree, separation, depth, depth === 'well-chosen' ? points : ''];
    const key = [kind, backend, ...(kind === 'multipole' ? expansion : [])].join(' ');
    let potential = this.#kept.get(key);
    if (potential === undefined) {
      const on = backend === 'gpu' ? device : undefined;
      const options = {
        degree,
        separation,
        depth,
        points,
        caps: this.caps,
        threads: this.#threads,
        ...watch,
      };
      potential = await createPotential(kind, on, this.#mesh, options);
      this.#kept.set(key, potential);
    }
    return potential;
  }

  /**
   * More precise values of points: by cluster sums, and by the direct sum those that are not settled by that. A bound
   * of 1 or more says that the point is on a triangle, as far as float64 can tell: nothing would change it.
   */
  async sharpen(points: Float32Array, { run, tolerance, isSettled }: SharpenOptions): Promise<PreciseValues> {
    const { CpuPotential } = await import('./potential-cpu.ts');
    const count = points.length / 3;
    const values = new Float64Array(count);
    const bounds = new Float64Array(count);
    let open = Uint32Array.from({ length: count }, (_, i) => i);
    // Not by the number of points: what a point gets must not depend on the others.
    if (
      this.#mesh.triangleCount > MOST_TRIANGLES_SUMMED_DIRECTLY &&
      tolerance >= LEAST_CLUSTER_SUM_TOLERANCE
    ) {
      const options = { threads: this.#threads, signal: run.signal };
      this.#clusters ??= await CpuPotential.create('clusters', this.#mesh, options);
      const precise = { ...run, tolerance: TRUNCATION_SHARE * tolerance };
      await this.#clusters.evaluate({ points, values, bounds }, precise);
      open = open.filter((i) => bounds[i]! < 1 && !isSettled(values[i]!, bounds[i]!));
    }
    if (open.length === 0) return { values, bounds };
    this.#direct ??= await CpuPotential.create('direct', this.#mesh, { threads: this.#threads });
    const found = { values: new Float64Array(open.length), bounds: new Float64Array(open.length) };
    const some = gatherPoints(points, open);
    await this.#direct.evaluate({ points: some, ...found }, run);
    open.forEach((i, n) => {
      values[i] = found.values[n]!;
      bounds[i] = found.bounds[n]!;
    });
    return { values, bounds };
  }

  /** Bytes of what sharpening has set up. */
  get sharpeningBytes(): number {
    return (this.#clusters?.tableBytes ?? 0) + (this.#direct?.tableBytes ?? 0);
  }

  /** Gives back all memory. No call may be under way. */
  destroy(): void {
    for (const potential of [...this.#kept.values(), this.#clusters, this.#direct]) potential?.destroy();
    this.#kept.clear();
    this.#clusters = undefined;
    this.#direct = undefined;
  }
}
