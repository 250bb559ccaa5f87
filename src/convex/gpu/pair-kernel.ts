/** What all kernels for pairs have in common on the host. */
import type { TgpuBindGroupLayout } from 'typegpu';
import type { Infer } from 'typegpu/data';
import { LARGEST_FLOAT32 } from '../../constants.ts';
import { UniformBuffer } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { bindBuffers, encodePass, getKernel } from '../../gpu/passes.ts';
import type { AssembledShader } from '../../gpu/shader.ts';
import type { Bucket } from './chunks.ts';
import type { GpuPairQuery } from './gpu-query.ts';
import { PairParams } from './layout.ts';

/** Buffers of a chunk by the names that layouts give them; `layout.ts` says what they hold. */
export type ChunkBuffers = Readonly<Record<string, GPUBuffer>>;

/** What kernels are made for: the query, and pairs of the same kinds of records (or of any). */
export interface KernelPlan {
  readonly kind: GpuPairQuery['kind'];
  readonly algorithm: GpuPairQuery['algorithm'];
  readonly tolerance: number;
  /** Signed distance above which pairs are only told apart; Infinity: none. */
  readonly reach: number;
  /** Whether the depth of overlapping cores is wanted. */
  readonly wantsDepth: boolean;
  readonly warm: boolean;
  readonly kinds: Pick<Bucket, 'kindA' | 'kindB'>;
}

/** A kernel with its bindings: what runs over pairs of a chunk. */
export interface PairKernel {
  /** Encodes the kernel for pairs `first .. first + count` of the chunk. */
  encode(encoder: GPUCommandEncoder, first: number, count: number): void;
  destroy(): void;
}

export type MakePairKernel = (device: Device, plan: KernelPlan, buffers: ChunkBuffers) => Promise<PairKernel>;

/** Threads per workgroup of all kernels for pairs; `GROUP` in the WGSL. */
const GROUP = 64;

/** A kernel with one thread per pair, `PairParams` and any bindings of a chunk. */
export async function pairKernel(
  device: Device,
  plan: KernelPlan,
  buffers: ChunkBuffers,
  {
    shader,
    entryPoint,
    layout,
    constants = {},
  }: {
    shader: AssembledShader;
    entryPoint: string;
    layout: TgpuBindGroupLayout;
    constants?: Record<string, number>;
  },
): Promise<PairKernel> {
  const kernel = await getKernel(device, shader, { entryPoint, layout, constants });
  const params = new UniformBuffer(device, PairParams);
  const group = bindBuffers(device, kernel, { ...buffers, params: params.buffer });
  const query: Omit<Infer<typeof PairParams>, 'first' | 'end'> = {
    tolerance: plan.tolerance,
    reach: Math.min(plan.reach, LARGEST_FLOAT32),
    warm: plan.warm ? 1 : 0,
  };
  return {
    encode(encoder, first, count) {
      params.write({ first, end: first + count, ...query });
      encodePass(device, encoder, kernel, group, Math.ceil(count / GROUP));
    },
    destroy: () => params.destroy(),
  };
}
