/** One run of the cell grid's kernels over points that are on the GPU: its buffers, bindings and passes. */
import * as d from 'typegpu/data';
import { LEAST_FLOAT32 } from '../../constants.ts';
import type { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { bindBuffers, encodePass } from '../../gpu/passes.ts';
import { UniformBuffer } from '../../gpu/uniform-buffer.ts';
import type { Box } from '../../mesh/triangle-mesh.ts';
import type { CrossingRule } from '../classification.ts';
import { type FlagBuffers, reserveFlags } from '../doubtful-points.ts';
import type { LocalFrame } from '../surface.ts';
import { CellGridParams } from './layout.ts';
import type { GridShape } from './tables.ts';
import type { BoundPart, BoundTables, CellGridKernels } from './upload.ts';

/** Threads per workgroup and points per thread; `GROUP` and `POINTS` in the WGSL. */
export const GROUP = 64;
export const POINTS_PER_THREAD = 4;

/** A body on the GPU, ready for points: its kernels and tables, and what their parameters are made of. */
export interface CellGridOnGpu {
  readonly kernels: CellGridKernels;
  readonly tables: BoundTables;
  /** The pairs: the second kernel runs once for each part. */
  readonly parts: readonly BoundPart[];
  readonly grid: GridShape;
  readonly box: Box;
  readonly frame: LocalFrame;
  readonly rule: CrossingRule;
}

/**
 * A box for kernels, which may take a subnormal coordinate of a point or of the box for 0, each on its own: an end that is
 * subnormal moves outwards to the next number that stays as it is.
 */
export function boxForKernels({ min, max }: Box): Box {
  const isSubnormal = (x: number) => Math.abs(x) < LEAST_FLOAT32;
  const below = (x: number) => (isSubnormal(x) ? (x < 0 ? -LEAST_FLOAT32 : 0) : x);
  const above = (x: number) => (isSubnormal(x) ? (x > 0 ? LEAST_FLOAT32 : 0) : x);
  return {
    min: [below(min[0]), below(min[1]), below(min[2])],
    max: [above(max[0]), above(max[1]), above(max[2])],
  };
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

/** Parameters of the passes, a set for each part of the pairs: all are written before any pass runs. */
export function createParams(device: Device, { parts }: CellGridOnGpu): CellGridParamBuffers {
  const buffers = parts.map(() => new UniformBuffer(device, CellGridParams));
  return {
    buffers,
    destroy() {
      for (const buffer of buffers) buffer.destroy();
    },
  };
}

export interface CellGridParamBuffers {
  readonly buffers: readonly UniformBuffer<typeof CellGridParams>[];
  destroy(): void;
}

/**
 * Binds a body and points. The function returned writes the parameters and encodes the passes of threads
 * `firstThread .. endThread`; they have to be submitted before it is called again, since there is one set of parameters.
 */
export function bindCellGrid(
  device: Device,
  body: CellGridOnGpu,
  buffers: PointBuffers,
  { buffers: params }: CellGridParamBuffers,
  points: number,
): (encoder: GPUCommandEncoder, firstThread: number, endThread: number) => void {
  const { kernels, tables, parts, grid, rule } = body;
  const box = boxForKernels(body.box);
  const bound = { ...tables, ...buffers };
  const lookUpGroup = bindBuffers(device, kernels.lookUp, { ...bound, params: params[0]!.buffer });
  const segmentsGroups = parts.map(({ pairs }, n) =>
    bindBuffers(device, kernels.segments, { ...bound, pairs, params: params[n]!.buffer }),
  );
  return (encoder, firstThread, endThread) => {
    const common = {
      boxMin: d.vec3f(...box.min),
      inverse: 1 / grid.cell,
      boxMax: d.vec3f(...box.max),
      points,
      counts: d.vec3u(...grid.counts),
      nonzero: rule === 'nonzero' ? 1 : 0,
      firstThread,
      endThread,
    };
    for (const [n, { firstRank, endRank, firstPair }] of parts.entries()) {
      params[n]!.write({ ...common, firstRank, endRank, firstPair });
    }
    const groups = Math.ceil((endThread - firstThread) / GROUP);
    encoder.clearBuffer(buffers.mixedPoints, 0, 4);
    encodePass(device, encoder, kernels.lookUp, lookUpGroup, groups);
    // As many threads as looked points up: each takes an entry of the list after the other.
    for (const group of segmentsGroups) {
      encodePass(device, encoder, kernels.segments, group, groups);
    }
  };
}
