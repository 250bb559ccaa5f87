/** What gives the double-layer potential of points, by whichever method and on whichever processor. */
import type { BufferPool } from '../../gpu/buffers.ts';
import type { MethodRun, StageSeconds } from '../method.ts';

/** How J is computed: the sum over all triangles, or the fast multipole method. */
export const POTENTIAL_KINDS = ['direct', 'multipole'] as const;
export type PotentialKind = (typeof POTENTIAL_KINDS)[number];

/** A mesh prepared for its double-layer potential J, the generalised winding number. */
export interface Potential {
  /** Degree p of the local expansions; 0 for the direct sum. */
  readonly degree: number;
  /** Separation d of eq. 16; Infinity for the direct sum, to which no triangle is far. */
  readonly separation: number;
  /** Finest level of the evaluation tree; 0 for the direct sum. */
  readonly level: number;
  /** Bytes of the tables on the host. */
  readonly tableBytes: number;
  /** Bytes of GPU memory held; 0 on the CPU. */
  readonly gpuBytes: number;
  /** Seconds of setting up by stage, where they are known: they may overlap, and the rest is not among them. */
  readonly setUpSeconds?: Readonly<Record<string, number>>;
  /**
   * Writes J of points `first .. first + count` and a bound of its error, from index 0 of `values` and `bounds` on. The
   * bound covers truncation, rounding, and that of the value to float32; for a point on a triangle it is 1 or more.
   *
   * Calls `run.onProgress` with the number of these points that are done, and rejects with the reason of `run.signal`
   * between two slices of work.
   *
   * @param points `[x, y, z]` per point, as they are in the mesh's file
   * @param work scratch buffers on the GPU to be used again; by default they last for the call
   * @param stages wall seconds are added to: sorting and upload of points, kernels and the CPU's sums, reading back
   */
  evaluate(
    points: Float32Array,
    first: number,
    count: number,
    values: Float32Array,
    bounds: Float32Array,
    run: MethodRun,
    work?: BufferPool,
    stages?: StageSeconds,
  ): Promise<void>;
  /** Gives back what it holds. No call may be under way or follow. */
  destroy(): void;
}
