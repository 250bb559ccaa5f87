/** What gives the double-layer potential of points, by whichever method and on whichever processor. */
import type { BufferPool } from '../../gpu/buffers.ts';
import type { MethodRun, StageSeconds } from '../method.ts';

/**
 * How J is computed: the sum over all triangles, over clusters of them, the fast multipole method, or the cell grid of
 * the mesh closed by caps, less the caps' solid angles.
 */
export const POTENTIAL_KINDS = ['direct', 'clusters', 'multipole', 'cell-grid'] as const;
export type PotentialKind = (typeof POTENTIAL_KINDS)[number];

/** Points, and where their potentials go. */
export interface AskedPotential<Numbers = Float32Array> {
  /** `[x, y, z]` per point, as they are in the mesh's file. */
  readonly points: Float32Array;
  /** J and a bound of its error per point. Written. */
  readonly values: Numbers;
  readonly bounds: Numbers;
}

/** A run, and what its values are for. */
export interface PotentialRun extends MethodRun {
  /** What a potential's truncation errors may add up to, where it can choose. */
  readonly tolerance?: number | undefined;
}

/** What calls may share. */
export interface PotentialScratch {
  /** Buffers on the GPU to be used again; by default they last for the call. */
  readonly work?: BufferPool | undefined;
  /** Wall seconds are added to: sorting and upload of points, kernels and the CPU's sums, reading back. */
  readonly stages?: StageSeconds | undefined;
}

/** A mesh prepared for its double-layer potential J, the generalised winding number. */
export interface Potential {
  /** Degree p of the multipole method's local expansions; 0 for other methods. */
  readonly degree: number;
  /** Its separation d of eq. 16; Infinity for other methods. */
  readonly separation: number;
  /** Finest level of its evaluation tree; 0 for other methods. */
  readonly level: number;
  /** Whether values are more precise where a run asks for less tolerance. */
  readonly heedsTolerance?: boolean;
  /** Bytes of the tables on the host. */
  readonly tableBytes: number;
  /** Bytes of GPU memory held; 0 on the CPU. */
  readonly gpuBytes: number;
  /** Seconds of setting up by stage, where they are known: they may overlap, and the rest is not among them. */
  readonly setUpSeconds?: Readonly<Record<string, number>>;
  /**
   * Writes J of points and a bound of its error. The bound covers truncation, rounding, and that of the value to
   * float32; for a point on a triangle it is 1 or more.
   *
   * Calls `run.onProgress` with the number of points that are done, and rejects with the reason of `run.signal` between
   * two slices of work.
   */
  evaluate(asked: AskedPotential, run: PotentialRun, scratch?: PotentialScratch): Promise<void>;
  /** Gives back what it holds. No call may be under way or follow. */
  destroy(): void;
}
