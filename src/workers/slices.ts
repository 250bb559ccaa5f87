/** Work on many items in slices of about equal time, between which signals are looked at and timers get in. */

/** Milliseconds that a slice is to take. */
export const SLICE_TIME = { callingThread: 20, workers: 100 } as const;

/** How slices are cut. */
export interface Slicing {
  readonly threads: number;
  /** Milliseconds that a slice is to take. */
  readonly milliseconds: number;
  /**
   * Items of the first slice, and of the longest one, for each thread: the first one's time says how many the next may
   * have.
   */
  readonly first: number;
  readonly longest: number;
}

export interface Watch {
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of items done. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Does items 0 .. count - 1 slice by slice. Rejects with the signal's reason, which is looked at before each. */
export async function inSlices(
  count: number,
  { threads, milliseconds, first: firstSize, longest }: Slicing,
  { signal, onProgress }: Watch,
  work: (first: number, end: number) => Promise<void>,
): Promise<void> {
  let size = firstSize * threads;
  for (let first = 0; first < count; ) {
    signal?.throwIfAborted();
    const end = Math.min(count, first + Math.max(1, Math.floor(size)));
    const started = performance.now();
    await work(first, end);
    const taken = Math.max(performance.now() - started, 1e-3);
    // By a factor at a time: a few items say little about many.
    size = Math.min((end - first) * Math.min(milliseconds / taken, 4), longest * threads);
    first = end;
    onProgress?.(first);
  }
}

/** Lets timers, files and signals in. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

const { setImmediate } = globalThis as { setImmediate?: (work: () => void) => unknown };

/**
 * As `pause`, but in Node it waits for no longer than what it lets in takes, where a timer waits for a millisecond or
 * more. Timers that are due may have to wait for the second one.
 */
export function shortPause(): Promise<void> {
  return setImmediate ? new Promise((resolve) => setImmediate(() => resolve())) : pause();
}

/** A pause where the last one, or the start, is a slice of the calling thread ago. */
export function pauses(wait = pause): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < SLICE_TIME.callingThread) return undefined;
    return wait().then(() => {
      last = performance.now();
    });
  };
}

/** Items of a long loop after which it is asked whether somebody waits. */
export const BETWEEN_RESTS = 4096;

/** `pauses` that look at a signal as well. Rejects with its reason. */
export function rests(signal?: AbortSignal): () => Promise<void> {
  const pauseWhenDue = pauses();
  return async () => {
    await pauseWhenDue();
    signal?.throwIfAborted();
  };
}
