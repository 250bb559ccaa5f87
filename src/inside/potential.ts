/** The double-layer potential of a body as methods of classification use it, whatever computes it. */
import type { MethodRun } from './method.ts';

export interface Potential {
  /** Degree p of the expansions. */
  readonly degree: number;
  /** Separation d of eq. 16. */
  readonly separation: number;
  /** Finest level of the evaluation tree. */
  readonly level: number;
  readonly tableBytes: number;
  /** Bytes of GPU memory held now. */
  readonly gpuBytes: number;
  /**
   * J of points `first .. first + count` of `points` (`[x, y, z]` each) into `values`, bounds of its error into `bounds`, both
   * from place 0 on. A bound of 1 or more says that the point may lie on the other side of a triangle, or on it.
   */
  evaluate(
    points: Float32Array,
    first: number,
    count: number,
    values: Float32Array,
    bounds: Float32Array,
    run: MethodRun,
  ): Promise<void>;
  destroy(): void;
}
