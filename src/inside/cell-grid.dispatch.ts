/** One run of the cell grid's kernels over points that are on the GPU: its buffers, bindings and passes. */
import * as d from 'typegpu/data';
import type { BufferPool, UniformBuffer } from '../gpu/buffers.ts';
import type { Device } from '../gpu/device.ts';
import { bindBuffers, encodePass, type Kernel } from '../gpu/passes.ts';
import type { Box } from '../mesh/triangle-mesh.ts';
import type { CellGridParams } from './cell-grid.layout.ts';
import type { GridShape } from './cell-grid.tables.ts';
import type { Rule } from './classification.ts';
import { type FlagBuffers, reserveFlags } from './doubtful-points.ts';
import type { LocalFrame } from './surface.ts';

/** Threads per workgroup and points per thread; `GROUP` and `POINTS` in the WGSL. */
export const GROUP = 64;
export const POINTS_PER_THREAD = 4;

/** A body on the GPU, ready for points: its kernels and tables, and what their parameters are made of. */
export interface CellGridOnGpu {
  readonly kernels: { readonly lookUp: Kernel; readonly segments: Kernel };
  readonly tables: Readonly<Record<string, GPUBuffer>>;
  readonly grid: GridShape;
  readonly box: Box;
  readonly frame: LocalFrame;
  readonly rule: Rule;
}

/** Threads that look up so many points. */
export function threadsFor(points: number): number {
  return Math.ceil(points / POINTS_PER_THREAD);
}

export interface PointBuffers extends FlagBuffers {
  readonly points: GPUBuffer;
  readonly mixedPoints: GPUBuffer;
}

/** Uploads points of the local frame, and makes room for what the kernels write about them. */
export function reservePoints(device: Device, work: BufferPool, points: Float32Array): PointBuffers {
  const capacity = threadsFor(points.length / 3) * POINTS_PER_THREAD;
  const listUsage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
  return {
    points: work.upload('points', points as Float32Array<ArrayBuffer>),
    // A count, its padding, and two words per entry.
    mixedPoints: work.reserve('points in mixed cells', 8 * (1 + capacity), listUsage),
    ...reserveFlags(device, work, capacity),
  };
}

/**
 * Binds a body and points. The function returned writes the parameters and encodes the passes of threads
 * `firstThread .. endThread`; they have to be submitted before it is called again, since there is one set of parameters.
 */
export function bindCellGrid(
  device: Device,
  body: CellGridOnGpu,
  buffers: PointBuffers,
  params: UniformBuffer<typeof CellGridParams>,
  points: number,
): (encoder: GPUCommandEncoder, firstThread: number, endThread: number) => void {
  const { kernels, tables, grid, box, rule } = body;
  const bound = { params: params.buffer, ...tables, ...buffers };
  const lookUpGroup = bindBuffers(device, kernels.lookUp, bound);
  const segmentsGroup = bindBuffers(device, kernels.segments, bound);
  return (encoder, firstThread, endThread) => {
    params.write({
      boxMin: d.vec3f(...box.min),
      inverse: 1 / grid.cell,
      boxMax: d.vec3f(...box.max),
      points,
      counts: d.vec3u(...grid.counts),
      nonzero: rule === 'nonzero' ? 1 : 0,
      firstThread,
      endThread,
    });
    const groups = Math.ceil((endThread - firstThread) / GROUP);
    encoder.clearBuffer(buffers.mixedPoints, 0, 4);
    encodePass(device, encoder, kernels.lookUp, lookUpGroup, groups);
    // As many threads as there may be entries: those past the count end at once.
    encodePass(device, encoder, kernels.segments, segmentsGroup, groups * POINTS_PER_THREAD);
  };
}
