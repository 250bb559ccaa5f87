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
  /** Writes final flags of the points with these numbers, and returns how many remain undecided. Tells how many are done. */
  readonly settle: (doubtful: Uint32Array, onSettled: (done: number) => void) => Promise<number>;
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
  let told = 0;
  // Doubtful points, which a method may count as done, are not: what was told is not taken back.
  const tell = (done: number) => {
    if (done <= told) return;
    told = done;
    onProgress?.(done, flags.length);
  };
  for (let first = 0; first < flags.length; first += CHUNK) {
    signal.throwIfAborted();
    const size = Math.min(CHUNK, flags.length - first);
    // All of them are done when it is known which are doubtful.
    const onSlice = (done: number) => {
      if (done < size) tell(first + Math.floor(done));
    };
    const doubtful = await prepared.classify(
      points,
      first,
      size,
      flags,
      { rule, signal, onProgress: onSlice },
      work,
      stages,
    );
    if (doubtful.length > 0) {
      const started = performance.now();
      const certain = first + size - doubtful.length;
      undecided += await settle(doubtful, (done) => tell(certain + done));
      resolvedExactly += doubtful.length;
      exact += (performance.now() - started) / 1000;
    }
    tell(first + size);
  }
  return { resolvedExactly, undecided, exact };
}
