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
  const { signal } = options;
  const line = new Line(source, options);
  // At once, and not when the consumer asks again, which may be never.
  const onAbort = () => {
    void line.finish();
    void line.closeSource();
  };
  signal.addEventListener('abort', onAbort);
  let failed = false;
  try {
    signal.throwIfAborted();
    line.start();
    for (;;) {
      const next = await line.next();
      if (next === undefined) break;
      yield await orAborted(next.result, signal);
      line.leave();
    }
  } catch (error) {
    failed = true;
    throw error;
  } finally {
    await line.finish();
    signal.removeEventListener('abort', onAbort);
    const sourceClosed = failed ? line.closeSource().catch(() => {}) : line.closeSource();
    if (!signal.aborted) await orAborted(sourceClosed, signal).catch(rethrowUnless(signal));
  }
}

/** The items between a source and a consumer. */
class Line<T, R> {
  readonly #options: PipelineOptions<T, R>;
  readonly #iterator: AsyncIterator<T> | Iterator<T>;
  readonly #stop = new AbortController();
  readonly #change = new Change();
  readonly #results: Promise<R>[] = [];
  readonly #working = new Set<Promise<unknown>>();
  #held = 0;
  /** No further item comes: the source ended, failed, or is not asked any more. */
  #ended = false;
  /** The source is closed by itself. */
  #closed = false;
  #failure: { readonly error: unknown } | undefined;
  #reading: Promise<void> | undefined;
  #finishing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(source: AsyncIterable<T> | Iterable<T>, options: PipelineOptions<T, R>) {
    this.#options = options;
    try {
      const isAsync = Symbol.asyncIterator in source;
      this.#iterator = isAsync ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
      if (typeof this.#iterator?.next !== 'function') throw notIterable('no next()');
    } catch (error) {
      // A source that can be read once, and was.
      options.release();
      throw error;
    }
  }

  /** Begins to read. */
  start(): void {
    this.#reading = this.#readAhead();
  }

  async #readAhead(): Promise<void> {
    const { most, onRead } = this.#options;
    const { signal } = this.#stop;
    let begun: Promise<unknown> = Promise.resolve();
    while (!signal.aborted && !this.#ended) {
      if (this.#held >= most) {
        await this.#change.next();
        continue;
      }
      this.#held++;
      const started = performance.now();
      let next: IteratorResult<T>;
      try {
        next = await this.#iterator.next();
        if (typeof next !== 'object' || next === null) throw notIterable(`next() that gives ${typeof next}`);
      } catch (error) {
        this.#failure = { error };
        this.#closed = true;
        break;
      }
      onRead?.((performance.now() - started) / 1000);
      this.#closed = next.done === true;
      if (next.done || signal.aborted || this.#ended) break;
      begun = this.#begin(next.value, begun);
    }
    this.#ended = true;
    this.#change.tell();
  }

  /** Begins the work on an item when that on the one before has begun, and puts its result in the queue. */
  #begin(item: T, before: Promise<unknown>): Promise<Begun<R>> {
    const { signal } = this.#stop;
    // An item that cannot be begun keeps all later ones from being begun.
    const begun = before.then(() => {
      signal.throwIfAborted();
      return this.#options.begin(item, signal);
    });
    this.#track(begun);
    const result = this.#track(begun.then(({ done }) => done));
    // The consumer sees the failure at its place, behind results that are still in work; nothing more is read.
    result.catch(() => {
      this.#ended = true;
      this.#change.tell();
    });
    this.#results.push(result);
    this.#change.tell();
    return begun;
  }

  #track<V>(work: Promise<V>): Promise<V> {
    this.#working.add(work);
    const settled = () => void this.#working.delete(work);
    work.then(settled, settled);
    return work;
  }

  /** The next result in order, which may be in work still; undefined when there is none left. */
  async next(): Promise<{ readonly result: Promise<R> } | undefined> {
    const { signal } = this.#options;
    while (this.#results.length === 0 && !this.#ended) {
      await this.#change.next();
      signal.throwIfAborted();
    }
    signal.throwIfAborted();
    const result = this.#results.shift();
    if (result !== undefined) return { result };
    if (this.#failure !== undefined) throw this.#failure.error;
    return undefined;
  }

  /** The consumer is done with a result: there is room for another item. */
  leave(): void {
    this.#held--;
    this.#change.tell();
  }

  /** Stops the work, waits for what is under way, and releases what it needed: once. */
  finish(): Promise<void> {
    this.#finishing ??= this.#finish();
    return this.#finishing;
  }

  async #finish(): Promise<void> {
    const { signal, release } = this.#options;
    this.#stop.abort(signal.aborted ? signal.reason : undefined);
    this.#change.tell();
    while (this.#working.size > 0) await Promise.allSettled(this.#working);
    release();
  }

  /** Closes the source when the item that is being read is there: once. */
  closeSource(): Promise<void> {
    this.#closing ??= this.#closeSource();
    // An error of closing may be one more on top of another, or come when nobody waits any more.
    this.#closing.catch(() => {});
    return this.#closing;
  }

  async #closeSource(): Promise<void> {
    await this.#reading;
    if (!this.#closed) await this.#iterator.return?.();
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
