/** A word of shared memory that tells long work on other threads to end: they cannot hear an AbortSignal. */

/** 0 while the work may go on. */
export type StopWord = Int32Array;

/** Throws where the work is to end; whoever waits for it looks at the signal and tells why. */
export function throwIfStopped(stop: StopWord | undefined): void {
  if (stop !== undefined && Atomics.load(stop, 0) !== 0) throw new Error('stopped');
}

/**
 * Runs work with a word that is set as soon as the signal aborts.
 *
 * @param work ends early, by `throwIfStopped`, once the word is set
 * @throws the signal's reason where it aborted, however the work ended
 */
export async function withStopWord<T>(
  signal: AbortSignal | undefined,
  work: (stop: StopWord | undefined) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  if (signal === undefined || typeof SharedArrayBuffer === 'undefined') return work(undefined);
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const set = () => Atomics.store(stop, 0, 1);
  signal.addEventListener('abort', set, { once: true });
  try {
    return await work(stop);
  } finally {
    signal.removeEventListener('abort', set);
    signal.throwIfAborted();
  }
}
