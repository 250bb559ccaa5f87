/** Contacts of bodies that are on the GPU already: what callers of `ContactPipeline.onDevice` give and get. */

import type { Lent } from '../../gpu/lend.ts';
import type { WebGpuBuffer, WebGpuCommandEncoder } from '../../platform/webgpu.ts';
import type { GrownList } from '../gpu/header.ts';
import type { ContactArrays } from '../list/contact-arrays.ts';

/** How much there will be at most: room for it is made once. */
export interface ContactsOnDeviceOptions {
  /** Most pairs of colliders of a step. Default: as `capacity` of the pipeline says. */
  readonly mostPairs?: number | undefined;
  /** Most contacts of a step. Default: as `capacity` of the pipeline says. */
  readonly mostContacts?: number | undefined;
  /**
   * The call rejects with its reason as soon as it comes. Kernels that WebGPU has begun to compile cannot be stopped,
   * and serve later calls.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Buffers of the caller's, of the pipeline's device. */
export interface ContactsOnDeviceInputs {
  /**
   * 48 bytes per body, usage STORAGE: cell i32 x, y, z; a u32, bit 0: static, bit 1: not there; fraction of a cell u32
   * x, y, z, in 2^-32; a u32 that is not read; unit quaternion f32 x, y, z, w. A position is
   * `(cell + fraction * 2^-32) * cell edge`: differences of positions are exact, so lists of pairs miss none, however
   * far from the origin.
   */
  readonly bodies: WebGpuBuffer;
}

/**
 * Contacts of the last step, on the host. Their places, `points`, are less the position of body A. Contacts that
 * float32 leaves open are `open`, until `settle` decides them.
 */
export interface ContactsOnDeviceResults extends ContactArrays {
  /**
   * Contacts that were found, of which those beyond `count` found no room. Where another list ran over, there are more:
   * `short` tells.
   */
  readonly needed: number;
  /** Pairs of colliders that may touch, those with planes included. */
  readonly pairs: number;
  /** Contacts whose status is `open`, and `deep`. */
  readonly openContacts: number;
  readonly deepContacts: number;
  /**
   * `[k * 4]`: bodies A and B, and part of A and of B, of convex pairs that float32 leaves open. Some have no contact
   * in the list.
   */
  readonly open: Uint32Array<ArrayBuffer>;
  /** Lists that ran over: contacts are missing. None where there was room for all. */
  readonly short: readonly GrownList[];
}

/** Arrays that `read` gave, and the bodies that `encode` was given, on the host. */
export interface ContactsReadBack extends ContactsOnDeviceResults {
  /** 12 words per body: the `bodies` of `encode`, or what `packPoses` made. */
  readonly places: Uint32Array;
}

/** The pipeline, as a query on the device needs it. */
export interface PipelineOnDevice extends Lent {
  /** Runs work in turn with calls of the pipeline, until a signal comes or the pipeline ends. */
  inTurn<T>(signal: AbortSignal, work: (stop: AbortSignal) => Promise<T>): Promise<T>;
}

/**
 * A pipeline that is recorded into command encoders of the caller's: `encode` only records, nothing waits. Each call
 * overwrites what the one before left. docs/contacts.md, "On the GPU", has the layouts.
 */
export interface ContactsOnDevice {
  /** Edge of the cells that positions are given in, a length. */
  readonly cell: number;
  /** 64 bytes per contact, in the order of the list. Usage STORAGE and COPY_SRC. */
  readonly contacts: WebGpuBuffer;
  /**
   * u32: contacts, room for them, pairs, room for them, clusters of nodes, room for them, open convex pairs, clusters
   * of edges, nodes looked up, those of them near, pairs near planes, triangles near balls, room for them. Where one is
   * more than its room, contacts are missing. Usage STORAGE and COPY_SRC.
   */
  readonly header: WebGpuBuffer;
  /** Bytes of GPU memory that it holds. */
  readonly gpuBytes: number;
  /**
   * Records a step into an encoder of the same device, for the caller to submit.
   *
   * @throws InputError for a buffer that is too small, lacks the usage STORAGE or is one that the step writes. Nothing
   *   is recorded then.
   */
  encode(encoder: WebGpuCommandEncoder, inputs: ContactsOnDeviceInputs): void;
  /** Poses as `bodies` has them, and which bodies are not there. @throws InputError as `detect` does */
  packPoses(poses: Float32Array | Float64Array, absent?: Uint8Array): Uint32Array<ArrayBuffer>;
  /**
   * Reads back what the step that was submitted last left. Submit no further step before it has resolved. Rejects with
   * the reason of `signal` as soon as that comes, or `destroy`.
   */
  read(options?: { readonly signal?: AbortSignal | undefined }): Promise<ContactsOnDeviceResults>;
  /**
   * Finds in float64 on the host what is open, and what kernels have no code for, as `detect` does. Resolves with new
   * arrays, since open pairs may have more contacts or fewer.
   *
   * @throws InputError where a list ran over, or for arrays that are not those of `read`, or bodies that `detect` does
   *   not take
   */
  settle(
    read: ContactsReadBack,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<ContactsOnDeviceResults>;
  /** Gives back its memory. Safe to call twice. */
  destroy(): void;
}
