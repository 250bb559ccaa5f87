/** A number on the GPU, as callers pass it. Apart from the checks: public declarations name it, and know no WebGPU. */
import type { WebGpuBuffer } from '../platform/webgpu.ts';

/** A u32 in a buffer with the usage STORAGE. */
export interface CountOnDevice {
  readonly buffer: WebGpuBuffer;
  /** In bytes, a multiple of 4. Default 0. */
  readonly offset?: number | undefined;
}
