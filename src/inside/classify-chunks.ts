/** An array of points through a prepared method, chunk by chunk: what `classify` waits for. */
import type { BufferPool } from '../gpu/buffers.ts';
import type { Rule } from './classification.ts';
import { CHUNK, type Prepared, type StageSeconds } from './method.ts';

export interface ChunksOptions {
  readonly points: Float32Array;
  /** Written. */
  readonly flags: Uint8Array;
  readonly rule: Rule;
  readonly work: BufferPool | undefined;
  /** Added to. */
  readonly stages: StageSeconds;
  readonly signal: AbortSignal;
  readonly onProgress: ((done: number, total: number) => void) | undefined;
  /** Writes final flags of the points with these numbers, and returns how many remain undecided. */
  readonly settle: (doubtful: Uint32Array) => Promise<number>;
}

/** Returns how many points were settled, how many of them are undecided all the same, and the seconds that it took. */
export async function classifyChunks(
  prepared: Prepared,
  options: ChunksOptions,
): Promise<{ resolvedExactly: number; undecided: number; exact: number }> {
  const { points, flags, rule, work, stages, signal, onProgress, settle } = options;
  let resolvedExactly = 0;
  let undecided = 0;
  let exact = 0;
  for (let first = 0; first < flags.length; first += CHUNK) {
    signal.throwIfAborted();
    const size = Math.min(CHUNK, flags.length - first);
    const run = {
      rule,
      signal,
      onProgress: (done: number) => onProgress?.(first + Math.floor(done), flags.length),
    };
    const doubtful = await prepared.classify(points, first, size, flags, run, work, stages);
    if (doubtful.length === 0) continue;
    const started = performance.now();
    undecided += await settle(doubtful);
    resolvedExactly += doubtful.length;
    exact += (performance.now() - started) / 1000;
  }
  return { resolvedExactly, undecided, exact };
}
