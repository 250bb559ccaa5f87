/** What every way that is compared looks like: made ready for a body, then asked about points. */
import type { TriangleMesh } from '../../index.ts';
import type { WayReport } from '../report.ts';

/** Wall seconds of one call; what a way does not do is 0. */
export interface CallSeconds {
  readonly upload: number;
  readonly kernel: number;
  readonly readback: number;
  readonly exact: number;
}

export interface Answer {
  /** One byte per point; undefined for what answers no flags: the copy, and winding numbers. */
  readonly flags: Uint8Array | undefined;
  /** Winding numbers and their bounds, of ways that tell these. */
  readonly winding?: { readonly values: Float32Array; readonly bounds: Float32Array };
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
  /** Seeks the nearest point of the surface for each point: of a peer that can. */
  nearest?(points: Float32Array): void;
  destroy(): void;
}

export interface Way extends WayReport {
  /** Made ready for a number of points, and not to be asked about another number of them. */
  readonly forPoints?: boolean;
  /** Flags that differ are counted and do not end the run: of a peer, and of scree on a damaged mesh. */
  readonly counted?: boolean;
  /** @param points what it is going to be asked about; for ways that are `forPoints` */
  prepare(mesh: TriangleMesh, points?: Float32Array, signal?: AbortSignal): Promise<Prepared>;
}
