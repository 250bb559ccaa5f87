/** What tests points of a cell grid on the GPU: the one file by which that part is loaded, and arrays of points. */
import type { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { runSlices } from '../../gpu/passes.ts';
import type { CrossingRule } from '../classification.ts';
import { readFlags } from '../doubtful-points.ts';
import type { MethodRun, StageSeconds } from '../method.ts';
import { localPoints } from '../surface.ts';
import {
  bindCellGrid,
  type CellGridOnGpu,
  createParams,
  GROUP,
  POINTS_PER_THREAD,
  reservePoints,
  threadsFor,
} from './dispatch.ts';

export { openGpuLane } from './gpu-lane.ts';
export { compileCellGrid, UploadedCellGrid } from './upload.ts';

/** Threads of the first slice. */
const FIRST_SLICE = 256 * GROUP;

/** Points `first .. first + count` whose flags are wanted. */
export interface PointsOnGpu {
  readonly points: Float32Array;
  readonly first: number;
  readonly count: number;
  /** Written. */
  readonly flags: Uint8Array;
  readonly run: MethodRun<CrossingRule>;
  readonly work: BufferPool;
  /** Added to. */
  readonly seconds: StageSeconds;
  /** Running since the call began. */
  readonly lap: () => number;
}

/** Writes flags of points, and returns the indices of doubtful ones. */
export async function classifyOnGpu(
  device: Device,
  body: CellGridOnGpu,
  { points, first, count, flags, run, work, seconds, lap }: PointsOnGpu,
): Promise<Uint32Array> {
  const threads = threadsFor(count);
  const scaled = localPoints(points, first, count, body.frame);
  const buffers = await device.checked('uploading points', () => reservePoints(device, work, scaled));
  const params = createParams(device, body);
  try {
    await device.finished();
    seconds.upload += lap();
    const encode = bindCellGrid(device, body, buffers, params, count);
    await runSlices(
      device,
      {
        what: 'testing points',
        total: threads,
        first: FIRST_SLICE,
        multiple: GROUP,
        signal: run.signal,
        onProgress: (done) => run.onProgress?.(Math.min(count, done * POINTS_PER_THREAD)),
      },
      (firstThread, endThread) => {
        const encoder = device.handle.createCommandEncoder({ label: 'cell grid' });
        encode(encoder, firstThread, endThread);
        device.handle.queue.submit([encoder.finish()]);
      },
    );
    seconds.classify += lap();
    const back = await readFlags(device, work, buffers, threads * POINTS_PER_THREAD);
    flags.set(back.flags.subarray(0, count), first);
    const doubtful = back.doubtful.map((i) => first + i);
    seconds.readback += lap();
    return doubtful;
  } finally {
    params.destroy();
  }
}
