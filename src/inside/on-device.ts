/** Flags of points that are on the GPU already: what callers of `Polyhedron.onDevice` ask for and get. */
import type { Options } from '../arguments.ts';
import type { CountOnDevice } from '../gpu/count-on-device.ts';
import type { WebGpuBuffer, WebGpuCommandEncoder } from '../platform/webgpu.ts';
import type { CrossingRule } from './classification.ts';

export interface PointsOnDeviceOptions {
  /** Default `odd`. */
  readonly rule?: CrossingRule;
  /**
   * Most points of one `encode`: room is made for so many, 13 bytes each, and 12 more for a body far from the origin.
   */
  readonly mostPoints: number;
  /**
   * The call rejects with its reason as soon as it comes. Tables that are being built stop at the next slice of work.
   * Kernels that WebGPU has begun to compile cannot be stopped, and serve later calls.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Buffers of the caller's, of the body's device. */
export interface PointsOnDeviceInputs {
  /** float32 `x, y, z` per point, in the mesh's unit and frame. Usage STORAGE. */
  readonly points: WebGpuBuffer;
  /** How many points there are, or where that is written when the kernels run. */
  readonly count: number | CountOnDevice;
  /** For the flags, instead of the object's own: a byte per point, rounded up to whole words. Usage STORAGE. */
  readonly flags?: WebGpuBuffer;
  /**
   * For the list of doubtful points, instead of the object's own: 12 bytes and 4 per point. Usages STORAGE and
   * COPY_DST.
   */
  readonly doubtful?: WebGpuBuffer;
}

/** What was read back of points that `encode` was given. */
export interface PointsReadBack {
  /** `[x, y, z]` per point. */
  readonly points: Float32Array;
  /** One per point. Flags of doubtful points are written. */
  readonly flags: Uint8Array;
  /** The list: all of it, or as far as it is used. */
  readonly doubtful: Uint32Array;
}

/**
 * A body, ready for points that are on its device already: tables are there, kernels compiled, and room is made.
 * `encode` only records. `Polyhedron.onDevice` makes it; docs/guide.md, "Points that are on the GPU already", has an
 * example.
 */
export interface PointsOnDevice {
  readonly rule: CrossingRule;
  readonly mostPoints: number;
  /**
   * Flags of the points that were encoded last without a buffer for flags: a byte per point, 0 outside and 1 inside.
   * Flags of doubtful points are provisional. Usage STORAGE and COPY_SRC.
   */
  readonly flags: WebGpuBuffer;
  /**
   * u32: points asked about, room for them, doubtful points; then the doubtful points' numbers, in any order. Where the
   * first word is more than the second, points beyond have no flag. Doubtful are points that float32 leaves open: those
   * exactly on a triangle are among them, and those with a coordinate that is not finite. Usage STORAGE, COPY_SRC and
   * COPY_DST.
   */
  readonly doubtful: WebGpuBuffer;
  /** Bytes of GPU memory, the body's tables left out. */
  readonly gpuBytes: number;
  /**
   * Records the kernels over points into a command encoder of the caller's, which has no open pass. Nothing waits, and
   * the caller submits: what it submitted before is seen. A count in a buffer may be anything: points for which there
   * is no room are left out, and the list says so.
   *
   * @throws InputError for a buffer that is too small or lacks a usage, a count that is no whole number or above
   *   `mostPoints`, or an object or body that was destroyed.
   * @throws DeviceError if the device is lost or destroyed.
   */
  encode(encoder: WebGpuCommandEncoder, inputs: PointsOnDeviceInputs): void;
  /**
   * Reads back the object's own flags and its list, as the call that was submitted last left them: a flag for each
   * point that there was room for. Submit no further call before it has resolved. Rejects with the reason of `signal`
   * as soon as that comes, or `destroy`.
   */
  read(options?: { readonly signal?: AbortSignal | undefined }): Promise<Omit<PointsReadBack, 'points'>>;
  /**
   * Decides the doubtful points by exact predicates on the host: afterwards `flags` are those of `classify`, 2 on a
   * triangle included. Resolves with how many there were.
   *
   * @throws InputError where points found no room, a doubtful one has a coordinate that is not finite, or the list has
   *   a number that is not among the points. Nothing is written then.
   */
  settle(read: PointsReadBack, options?: { readonly signal?: AbortSignal | undefined }): Promise<number>;
  /** Gives the memory back. What was encoded has to be submitted before. Safe to call twice. */
  destroy(): void;
}

export const ON_DEVICE_OPTIONS: Options<PointsOnDeviceOptions> = {
  rule: 'checked',
  mostPoints: 'number',
  signal: 'signal',
};
export const INPUT_OPTIONS: Options<PointsOnDeviceInputs> = {
  points: 'checked',
  count: 'checked',
  flags: 'checked',
  doubtful: 'checked',
};
export const READ_BACK_OPTIONS: Options<PointsReadBack> = {
  points: 'checked',
  flags: 'checked',
  doubtful: 'checked',
};
