// What answers queries: the float64 algorithms on the host's threads, or kernels.
import type { BatchOnDevice, PairsOnDevice, PairsOnDeviceOptions } from './on-device.ts';
import type { PairArrays, PairQuestion, ResolvedPairQuery } from './pair-query.ts';

/** How a query goes on. */
export interface PairRunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of pairs done. */
  readonly onProgress?: ((done: number) => void) | undefined;
  /** Whether kernels are timed by the GPU's own clock. */
  readonly timestamps?: boolean | undefined;
}

/** Wall seconds of a backend's stages. */
export interface BackendSeconds {
  /** Handing shapes, bodies and pairs over: to worker threads or to the GPU. */
  readonly upload: number;
  /** The answering itself. */
  readonly kernel: number;
  /** Getting the answers back. */
  readonly readback: number;
  /** The kernels by the GPU's own clock, where it has one and was asked. */
  readonly gpu?: number;
}

/** What a backend answers. A status `iterationLimit` says that it could not: `ConvexBatch` has the pair redone. */
export interface BackendAnswers extends PairArrays {
  readonly seconds: BackendSeconds;
}

/** Kernels for the shapes of a table. */
export interface PairBackend {
  /** Bytes of GPU memory held now. */
  readonly gpuBytes: number;
  /** Takes its turn on the device itself. */
  query(query: ResolvedPairQuery, run: PairRunOptions): Promise<BackendAnswers>;
  /** Compiles and makes room for queries whose bodies and pairs are on the GPU. */
  onDevice(
    question: PairQuestion,
    options: PairsOnDeviceOptions,
    batch: BatchOnDevice,
  ): Promise<PairsOnDevice>;
  /** Gives back GPU memory. */
  destroy(): void;
}
