/** What every way that is compared looks like: made ready for a body, then asked about points. */
import type { TriangleMesh } from '../index.ts';

/** Seconds of one call; what a way does not do is 0. */
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
  readonly resolvedExactly: number;
  readonly gpuBytes: number;
}

/** A way made ready for a body. */
export interface Prepared {
  /** Seconds of looking over the mesh, and of everything else until points can be asked. */
  readonly check: number;
  readonly build: number;
  readonly tableBytes: number;
  answer(points: Float32Array): Promise<Answer>;
  destroy(): void;
}

export interface Way {
  readonly key: string;
  readonly label: string;
  readonly kind: 'scree' | 'peer' | 'yardstick';
  prepare(mesh: TriangleMesh): Promise<Prepared>;
}
