/** Items of a source through a stage of work, several at once, with results in the order of the items. */
import { InputError } from '../../errors.ts';

/** Work that has begun: `done` settles when its result is there. */
export interface Begun<R> {
  readonly done: Promise<R>;
}

export interface PipelineOptions<T, R> {
  /** Most items held at once: asked for, in work, or with the consumer. 1 or more. */
  readonly most: number;
  readonly signal: AbortSignal;
  /**
   * Begins the work on an item, in order, and never two at a time: resolves when the next one may begin. `stop` is
   * aborted when nobody wants the result any more; `done` has to settle soon after.
   */
  readonly begin: (item: T, stop: AbortSignal) => Promise<Begun<R>>;
  /** Called once, when no work is under way and none will be begun. */
  readonly release: () => void;
  /** Called with the seconds that each item of the source took. */
  readonly onRead?: (seconds: number) => void;
}

/**
 * Reads ahead while earlier items are in work and with the consumer, never more than `most` at once. A source or stage
 * that fails ends the results at its place: those before it still come. Nothing is read before the first result is
 * asked for.
 *
 * However it ends, with the last item, an error, the consumer leaving the loop, or the signal, the source's `return()`
 * is called (unless it ended or failed itself), the work is stopped, and `release` is called. Leaving the loop waits
 * for the item that is being read, so that the source is closed afterwards, and so does an error; an aborted signal
 * does not.
 */
export async function* pipeline<T, R>(
  source: AsyncIterable<T> | Iterable<T>,
  options: PipelineOptions<T, R>,
): AsyncGenerator<R, void> {
  const { most, signal, begin, release, onRead } = options;
  let iterator: AsyncIterator<T> | Iterator<T>;
  try {
    iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    if (typeof iterator?.next !== 'function') throw notIterable('no next()');
  } catch (error) {
    // A source that can be read once, and was.
    release();
    throw error;
  }
  const stop = new AbortController();
  const change = new Change();
  const results: Promise<R>[] = [];
  const working = new Set<Promise<unknown>>();
  let held = 0;
  /** No further item comes: the source ended, failed, or is not asked any more. */
  let ended = false;
  /** The source is closed by itself. */
  let closed = false;
  let failure: { readonly error: unknown } | undefined;

  const track = <V>(work: Promise<V>): Promise<V> => {
    working.add(work);
    const settled = () => void working.delete(work);
    work.then(settled, settled);
    return work;
  };

  const readAhead = async () => {
    let begun: Promise<unknown> = Promise.resolve();
    while (!stop.signal.aborted && !ended) {
      if (held >= most) {
        await change.next();
        continue;
      }
      held++;
      const started = performance.now();
      let next: IteratorResult<T>;
      try {
        next = await iterator.next();
        if (typeof next !== 'object' || next === null) throw notIterable(`next() that gives ${typeof next}`);
      } catch (error) {
        failure = { error };
        closed = true;
        break;
      }
      onRead?.((performance.now() - started) / 1000);
      closed = next.done === true;
      if (next.done || stop.signal.aborted || ended) break;
      const { value } = next;
      // An item that cannot be begun keeps all later ones from being begun.
      const beginning = begun.then(() => {
        stop.signal.throwIfAborted();
        return begin(value, stop.signal);
      });
      begun = track(beginning);
      const result = track(beginning.then(({ done }) => done));
      // The consumer sees the failure at its place, behind results that are still in work; nothing more is read.
      result.catch(() => {
        ended = true;
        change.tell();
      });
      results.push(result);
      change.tell();
    }
    ended = true;
    change.tell();
  };

  let finishing: Promise<void> | undefined;
  const finish = () => {
    finishing ??= (async () => {
      stop.abort(signal.aborted ? signal.reason : undefined);
      change.tell();
      while (working.size > 0) await Promise.allSettled(working);
      release();
    })();
    return finishing;
  };
  let reading: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  const closeSource = () => {
    closing ??= (async () => {
      await reading;
      if (!closed) await iterator.return?.();
    })();
    // An error of closing may be one more on top of another, or come when nobody waits any more.
    closing.catch(() => {});
    return closing;
  };
  // At once, and not when the consumer asks again, which may be never.
  const onAbort = () => {
    void finish();
    void closeSource();
  };
  signal.addEventListener('abort', onAbort);
  let failed = false;
  try {
    signal.throwIfAborted();
    reading = readAhead();
    for (;;) {
      while (results.length === 0 && !ended) {
        await change.next();
        signal.throwIfAborted();
      }
      signal.throwIfAborted();
      const result = results.shift();
      if (result === undefined) break;
      yield await orAborted(result, signal);
      held--;
      change.tell();
    }
    if (failure !== undefined) throw (failure as { error: unknown }).error;
  } catch (error) {
    failed = true;
    throw error;
  } finally {
    await finish();
    signal.removeEventListener('abort', onAbort);
    const sourceClosed = failed ? closeSource().catch(() => {}) : closeSource();
    if (!signal.aborted) await orAborted(sourceClosed, signal).catch(rethrowUnless(signal));
  }
}

/** What a source's iterator was found with that no iterator has. */
function notIterable(found: string): InputError {
  return new InputError(`chunks: found an iterator with ${found}, expected one of results { value, done }`);
}

/** Passes errors on, but for those that are there because the signal was aborted. */
function rethrowUnless(signal: AbortSignal): (error: unknown) => void {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}

/** Settles as `work` does, or rejects with the signal's reason if that is aborted first. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    // Removed again: signals outlive many waits.
    signal.addEventListener('abort', abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Something that changes now and then, to be waited for. */
class Change {
  #tell: () => void = () => {};
  #next!: Promise<void>;

  constructor() {
    this.#renew();
  }

  #renew(): void {
    this.#next = new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  /** Resolves at the next `tell()`. */
  next(): Promise<void> {
    return this.#next;
  }

  tell(): void {
    const told = this.#tell;
    this.#renew();
    told();
  }
}
