/** A potential's points on the GPU, chunk by chunk, with working memory that is the caller's or lives for the call. */
import { BufferPool, readBack } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { CHUNK, type MethodRun, type StageSeconds } from '../method.ts';
import type { AskedPotential, PotentialScratch } from './potential.ts';

/** Evaluates the points of one chunk into its values and bounds. */
export type EvaluateChunk<Run extends MethodRun> = (
  asked: AskedPotential,
  run: Run,
  work: BufferPool,
  stages: StageSeconds,
) => Promise<void>;

/** See `Potential.evaluate`: calls `evaluateChunk` for at most `CHUNK` points at a time. */
export async function evaluateInChunks<Run extends MethodRun>(
  device: Device,
  { points, values, bounds }: AskedPotential,
  run: Run,
  { work: given, stages = { upload: 0, classify: 0, readback: 0 } }: PotentialScratch,
  evaluateChunk: EvaluateChunk<Run>,
): Promise<void> {
  const work = given ?? new BufferPool(device);
  try {
    for (let from = 0; from < values.length; from += CHUNK) {
      const end = Math.min(values.length, from + CHUNK);
      const chunk = {
        points: points.subarray(3 * from, 3 * end),
        values: values.subarray(from, end),
        bounds: bounds.subarray(from, end),
      };
      const onProgress = (done: number) => run.onProgress?.(from + done);
      await evaluateChunk(chunk, { ...run, onProgress }, work, stages);
    }
  } finally {
    if (given === undefined) work.destroy();
  }
}

/** What threads of a potential's kernel read and leave. */
export interface ThreadBuffers {
  readonly points: GPUBuffer;
  readonly sums: GPUBuffer;
}

/**
 * Uploads points, and makes room for what threads leave.
 *
 * @param bytes that all threads leave
 */
export async function uploadPoints(
  device: Device,
  work: BufferPool,
  points: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>,
  bytes: number,
): Promise<ThreadBuffers> {
  const { STORAGE, COPY_SRC } = GPUBufferUsage;
  const buffers = await device.checked('uploading points', () => ({
    points: work.upload('points', points),
    sums: work.reserve('sums', bytes, STORAGE | COPY_SRC),
  }));
  await device.finished();
  return buffers;
}

/** What threads have left: so many bytes. */
export async function readSums(
  device: Device,
  work: BufferPool,
  { sums }: ThreadBuffers,
  bytes: number,
): Promise<Float32Array> {
  const [read] = await readBack(device, work, [{ buffer: sums, bytes }]);
  return new Float32Array(read!.buffer, read!.byteOffset, bytes / Float32Array.BYTES_PER_ELEMENT);
}
