// Queries for bodies and pairs that are on the GPU already: options, inputs and results.

import type { CountOnDevice } from '../../gpu/count-on-device.ts';
import type { Lent } from '../../gpu/lend.ts';
import type { WebGpuBuffer, WebGpuCommandEncoder } from '../../platform/webgpu.ts';
import type { PairAlgorithm, PairKind } from './pair-kinds.ts';
import type { PairArrays, PairQuery } from './pair-query.ts';

/** What is asked, and how much there will be at most: room for it is made once. */
export interface PairsOnDeviceOptions
  extends Pick<PairQuery, 'kind' | 'algorithm' | 'tolerance' | 'sweepRadius' | 'manifold'> {
  /** Most bodies of a call. */
  readonly mostBodies: number;
  /** Most pairs of a call. */
  readonly mostPairs: number;
  /** Most convex parts of all bodies of a call. Default: as many as `mostBodies` can have. */
  readonly mostParts?: number | undefined;
  /**
   * Most pairs of convex parts that all pairs of a call come to. Default: as many as `mostPairs` can come to, but no
   * more than 262,144 (or `mostPairs`, if that is more). For batches without concave shapes both are what the bodies
   * and pairs are.
   */
  readonly mostPartPairs?: number | undefined;
  /**
   * The call rejects with its reason as soon as it comes. Kernels that WebGPU has begun to compile cannot be stopped,
   * and serve later calls.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Bodies and pairs in GPU buffers, all with usage STORAGE. */
export interface PairsOnDeviceInputs {
  /**
   * f32, seven per body: position x, y, z and unit quaternion x, y, z, w, as the `poses` of a query. Pairs are given,
   * so positions are in no cells, as those of a `ContactPipeline` are.
   */
  readonly poses: WebGpuBuffer;
  /** f32, seven per body: what rounding to f32 left of the poses, which are then their sums. Default: nothing. */
  readonly poseRests?: WebGpuBuffer | undefined;
  /** u32 per body: its shape. */
  readonly shapes: WebGpuBuffer;
  /** Number of bodies. Default: as many as `poses` and `shapes` hold, `mostBodies` at most. */
  readonly bodyCount?: number | undefined;
  /** u32, two per pair: the bodies. */
  readonly pairs: WebGpuBuffer;
  /** f32, three per pair: normals to start from, in the world; 0, 0, 0 for none. Default: none. */
  readonly normals?: WebGpuBuffer | undefined;
  /** Number of pairs, or where it will be on the GPU. */
  readonly count: number | CountOnDevice;
}

/** What the last call left, on the host. Arrays have an entry per pair, as those of a query. */
export interface PairsOnDeviceResults extends PairArrays<Float32Array<ArrayBuffer>> {
  readonly kind: PairKind;
  readonly algorithm: PairAlgorithm;
  readonly tolerance: number;
  /** Pairs that were answered: those asked for, at most `mostPairs` and what the buffer of pairs holds. */
  readonly count: number;
  /** Pairs that were asked for. Those beyond `count` found no room, and have no answer. */
  readonly needed: number;
  /** Pairs of convex parts that the pairs came to. Where they are more than `mostPartPairs`, some pairs are open. */
  readonly partPairs: number;
  /**
   * Pairs without an answer, ascending: float32 cannot decide them, they are not usable, or there was no room for their
   * parts. Their status is 3.
   */
  readonly open: Uint32Array<ArrayBuffer>;
}

/** What `read` gave, and what `encode` was given, on the host and by the same names. */
export interface PairsReadBack extends PairsOnDeviceResults {
  readonly poses: Float32Array | Float64Array;
  readonly poseRests?: Float32Array | undefined;
  readonly shapes: Uint32Array;
  readonly pairs: Uint32Array;
}

/** What a query on the device needs of its batch. */
export interface BatchOnDevice extends Lent {
  /** Writes the answers of open pairs; says how many. */
  settle(read: PairsReadBack, signal: AbortSignal): Promise<number>;
}

/**
 * A query that is recorded into command encoders of the caller's, for bodies and pairs that are on the GPU already:
 * `encode` only records, nothing waits. Each call overwrites what the one before left.
 */
export interface PairsOnDevice {
  /**
   * u32 words, `wordsPerPair` for each pair: distance, lower, upper (bits of f32), status + 2^24 * contacts; normal x,
   * y, z (bits), support points; point on A x, y, z (bits), 0. The point on B is that on A plus distance * normal. Kind
   * `intersect`: one word, status + 2^8 * support points. Status 3 is a pair without an answer.
   */
  readonly results: WebGpuBuffer;
  /** 12; kind `intersect`: 1. */
  readonly wordsPerPair: number;
  /**
   * Kind `manifold`: vec4f, `contactsPerPair` for each pair, x, y, z in the world and distance. In a batch with concave
   * shapes as many vec4f with their normals follow for each pair; else all have the pair's.
   */
  readonly contacts: WebGpuBuffer | undefined;
  /** 4 or 16, 0 for other kinds. */
  readonly contactsPerPair: number;
  /**
   * u32: pairs asked for, room for them, open pairs, pairs of parts; then the open pairs' numbers, in any order. Where
   * the first word is more than the second, pairs beyond have no answer.
   */
  readonly open: WebGpuBuffer;
  /** Bytes of GPU memory that it holds. */
  readonly gpuBytes: number;
  /**
   * Records the query into an encoder of the same device, for the caller to submit.
   *
   * @throws InputError for a buffer that is too small, lacks the usage STORAGE or is one that the query writes, or a
   *   number that is too large. Nothing is recorded then.
   */
  encode(encoder: WebGpuCommandEncoder, inputs: PairsOnDeviceInputs): void;
  /**
   * What `encode` takes of poses that are on the host: `[n * 7]`, each as its number in float32 and what rounding left.
   *
   * @throws InputError as `query` does
   */
  packPoses(poses: Float32Array | Float64Array): {
    readonly poses: Float32Array<ArrayBuffer>;
    readonly poseRests: Float32Array<ArrayBuffer>;
  };
  /**
   * Reads back what the call that was submitted last left. Submit no further call before it has resolved. Rejects with
   * the reason of `signal` as soon as that comes, or `destroy`.
   */
  read(options?: { readonly signal?: AbortSignal | undefined }): Promise<PairsOnDeviceResults>;
  /**
   * Decides the open pairs in float64 on the host, as `query` does: afterwards the arrays have answers for all pairs.
   * Resolves with how many were open.
   *
   * @throws InputError where pairs found no room, arrays are not those of so many pairs, or something is open and the
   *   bodies are none that `query` takes. Nothing is written then.
   */
  settle(read: PairsReadBack, options?: { readonly signal?: AbortSignal | undefined }): Promise<number>;
  /** Gives back its memory. Safe to call twice. */
  destroy(): void;
}
