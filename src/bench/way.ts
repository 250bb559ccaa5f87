/** What every way that is compared looks like: made ready for a body, then asked about points. */
import type { TriangleMesh } from '../index.ts';

/** Wall seconds of one call; what a way does not do is 0. */
export interface CallSeconds {
  readonly upload: number;
  readonly kernel: number;
  readonly readback: number;
  readonly exact: number;
}

export interface Answer {
  /** One byte per point; undefined for the copy, which answers nothing. */
  readonly flags: Uint8Array | undefined;
  readonly seconds: CallSeconds;
  /** Seconds of the kernels by the GPU's own clock, where that was asked for and can be had. */
  readonly gpu?: number;
  readonly resolvedExactly: number;
  readonly gpuBytes: number;
  /** What did the work and why, as the result told. */
  readonly chosen: string;
}

export interface AskOptions {
  /** For `Answer.gpu`, which takes time of its own. */
  readonly timestamps?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A way made ready for a body. */
export interface Prepared {
  /** Seconds of looking over the mesh, and of everything else until points can be asked. */
  readonly check: number;
  readonly build: number;
  /** Seconds of parts of `build`, where they are known; they may overlap. */
  readonly parts: Readonly<Record<string, number>>;
  readonly tableBytes: number;
  /** What its tables are like, by name: the finest level of a tree ... */
  readonly figures: Readonly<Record<string, number>>;
  answer(points: Float32Array, options?: AskOptions): Promise<Answer>;
  destroy(): void;
}

export interface Way {
  readonly key: string;
  readonly label: string;
  readonly kind: 'scree' | 'peer' | 'yardstick';
  /** Made ready for a number of points, and not to be asked about another number of them. */
  readonly forPoints?: boolean;
  /** @param points what it is going to be asked about; for ways that are `forPoints` */
  prepare(mesh: TriangleMesh, points?: Float32Array, signal?: AbortSignal): Promise<Prepared>;
}
