/** What all kernels for pairs have in common on the host. */
import type { TgpuBindGroupLayout } from 'typegpu';
import type { Infer } from 'typegpu/data';
import { LARGEST_FLOAT32 } from '../../constants.ts';
import type { Device } from '../../gpu/device.ts';
import { bindBuffers, encodeIndirectPass, encodePass, getKernel, type Kernel } from '../../gpu/passes.ts';
import type { AssembledShader } from '../../gpu/shader.ts';
import { UniformBuffer } from '../../gpu/uniform-buffer.ts';
import type { ResolvedPairQuery } from '../query/pair-query.ts';
import { ShapeKind } from '../shapes/records.ts';
import type { Bucket } from './chunks.ts';
import { PairParams } from './layout.ts';
import { listGroupsLayout, listGroupsShader } from './shaders.ts';

/** Buffers of a chunk by the names that layouts give them; `layout.ts` says what they hold. */
export type ChunkBuffers = Readonly<Record<string, GPUBuffer>>;

/** What kernels are made for: the query, and pairs of the same kinds of records (or of any). */
export interface KernelPlan {
  readonly kind: ResolvedPairQuery['kind'];
  readonly algorithm: ResolvedPairQuery['algorithm'];
  readonly tolerance: number;
  /** Signed distance above which pairs are only told apart; Infinity: none. */
  readonly reach: number;
  /** Whether the depth of overlapping cores is wanted. */
  readonly wantsDepth: boolean;
  /** Rule for contacts of kind `manifold`. */
  readonly manifold: ResolvedPairQuery['manifold'];
  readonly warm: boolean;
  readonly kinds: Pick<Bucket, 'kindA' | 'kindB'>;
}

/** What a query wants of overlapping cores; `WANTED` in the WGSL: that they overlap, a distance of 0, or their depth. */
export function wantedOf({ kind, wantsDepth }: Pick<KernelPlan, 'kind' | 'wantsDepth'>): number {
  return kind === 'intersect' ? 0 : wantsDepth ? 2 : 1;
}

/** Whether pairs go through separating axes first: both cores are boxes, and the caller leaves the algorithm open. */
export function usesBoxAxes({ algorithm, kinds }: Pick<KernelPlan, 'algorithm' | 'kinds'>): boolean {
  return algorithm === 'auto' && kinds.kindA === ShapeKind.box && kinds.kindB === ShapeKind.box;
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
    list,
  }: {
    shader: AssembledShader;
    entryPoint: string;
    layout: TgpuBindGroupLayout;
    constants?: Record<string, number>;
    /** Run over a list instead of all pairs: those whose depth is wanted, or those that box axes leave open. */
    list?: 'work' | 'open';
  },
): Promise<PairKernel> {
  const [kernel, lister] = await Promise.all([
    getKernel(device, shader, { entryPoint, layout, constants }),
    list && listKernel(device, list),
  ]);
  const counter = lister && listCounter(device, lister, buffers);
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
      if (counter === undefined) {
        encodePass(device, encoder, kernel, group, Math.ceil(count / GROUP));
      } else {
        counter.encode(encoder);
        encodeIndirectPass(device, encoder, kernel, group, counter.groups);
      }
    },
    destroy() {
      params.destroy();
      counter?.groups.destroy();
    },
  };
}

function listKernel(device: Device, list: 'work' | 'open'): Promise<Kernel> {
  return getKernel(device, listGroupsShader(), {
    entryPoint: 'listGroups',
    layout: listGroupsLayout,
    constants: { OPEN_LIST: list === 'open' ? 1 : 0 },
  });
}

/** What finds out how many workgroups a list of pairs takes. */
function listCounter(device: Device, kernel: Kernel, { work }: ChunkBuffers) {
  const groups = device.handle.createBuffer({
    label: 'workgroups of a list',
    size: 16,
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.INDIRECT,
  });
  const bindings = bindBuffers(device, kernel, { work: work!, workgroups: groups });
  return {
    groups,
    encode: (encoder: GPUCommandEncoder) => encodePass(device, encoder, kernel, bindings, 1),
  };
}
