/** What kernels for pairs are asked and what they answer. */
import type { PairAlgorithm, PairKind } from '../query.ts';

/** A query that has been checked, with nothing left open. */
export interface GpuPairQuery {
  /** `[n * 7]`: position and unit quaternion x, y, z, w of each body. */
  readonly poses: Float32Array | Float64Array;
  /** `[n * 12]`: the same, rotation by rows and position. */
  readonly placed: Float64Array;
  /** `[n]`: the shape of each body. */
  readonly bodies: Uint32Array;
  /** `[m * 2]`: the bodies of each pair. */
  readonly pairs: Uint32Array;
  readonly kind: PairKind;
  readonly algorithm: PairAlgorithm | 'auto';
  /** Gap between the bounds of a distance, relative to the pair's size. Float32 resolves `RESOLUTION_32`. */
  readonly tolerance: number;
  readonly sweepRadius: number;
  /** `[m * 3]`: normals to start from, in the world; 0, 0, 0 for pairs without. */
  readonly warm?: Float32Array | Float64Array | undefined;
}

export interface GpuPairRun {
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of pairs done. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Wall seconds of the stages. */
export interface GpuPairSeconds {
  upload: number;
  kernel: number;
  readback: number;
  /** The kernels by the GPU's own clock, where it has one. */
  gpu?: number;
}

/**
 * Answers, one entry per pair, as `PairResults` has them; the numbers are empty for kind `intersect`. A status `iterationLimit`
 * says that float32 could not decide: the other numbers of that pair mean nothing.
 */
export interface GpuPairAnswers {
  readonly distance: Float32Array;
  readonly lower: Float32Array;
  readonly upper: Float32Array;
  readonly normal: Float32Array;
  readonly pointA: Float32Array;
  readonly pointB: Float32Array;
  readonly status: Uint8Array;
  readonly iterations: Uint32Array;
  readonly contactCounts: Uint8Array;
  readonly contacts: Float32Array;
  readonly seconds: GpuPairSeconds;
}
