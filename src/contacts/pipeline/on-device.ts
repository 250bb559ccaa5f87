/** Contacts of bodies that are on the GPU already: what callers of `ContactPipeline.onDevice` give and get. */
import type { WebGpuBuffer, WebGpuCommandEncoder } from '../../platform/webgpu.ts';

/** Buffers of the caller's, of the pipeline's device. */
export interface ContactsOnDeviceInputs {
  /**
   * 48 bytes per body, usage STORAGE: cell i32 x, y, z; a u32, bit 0: static, bit 1: not there; fraction of a cell u32
   * x, y, z, in 2^-32; a u32 that is not read; unit quaternion f32 x, y, z, w. A position is
   * `(cell + fraction * 2^-32) * cell edge`.
   */
  readonly bodies: WebGpuBuffer;
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
  /** Records a step into an encoder of the same device, for the caller to submit. */
  encode(encoder: WebGpuCommandEncoder, inputs: ContactsOnDeviceInputs): void;
  /** Poses as `bodies` has them, and which bodies are not there. @throws InputError as `detect` does */
  packPoses(poses: Float32Array | Float64Array, absent?: Uint8Array): Uint32Array<ArrayBuffer>;
  /** Gives back its memory. Safe to call twice. */
  destroy(): void;
}
