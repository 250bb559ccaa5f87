/** Work of which only the latest counts: what is asked later ends what was asked earlier. */
export class Latest {
  readonly #failed: (error: unknown) => void;
  #controller = new AbortController();
  #tail: Promise<void> = Promise.resolve();

  /** @param failed called with what the latest work threw */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Settles when all that was asked so far is done or given up. Never rejects. */
  get settled(): Promise<void> {
    return this.#tail;
  }

  /** Begins when what was asked before has ended, which it is told to do now. */
  run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.cancel();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.#tail = this.#tail.then(async () => {
      if (signal.aborted) return;
      try {
        await work(signal);
      } catch (error) {
        if (!signal.aborted) this.#failed(error);
      }
    });
    return this.#tail;
  }

  cancel(): void {
    this.#controller.abort();
  }
}
