/** Ctrl-C and SIGTERM: the first asks the work to stop, a second one ends the process at once. */
import { setImmediate } from 'node:timers/promises';

/** Exit codes by the shell's convention: 128 + the signal's number. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
/** EX_TEMPFAIL of sysexits.h: not done yet, to be tried again. */
export const TRY_AGAIN = 75;
/** Of commands that have saved what they did. */
export const STOPPED: ReadonlySet<number> = new Set([TRY_AGAIN, ...Object.values(EXIT_CODES)]);

/**
 * A second SIGTERM within this time is the same one: a scheduler sends it to all processes of a job, and the job's
 * script passes it on.
 */
const SAME_MILLISECONDS = 2000;

/** The error of work that the user interrupted, or that has had its time. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message = 'interrupted') {
    super(message);
    this.name = 'Interrupted';
    this.exitCode = exitCode;
  }
}

/**
 * Settles as `work` does, or rejects with the signal's reason as soon as it aborts. The work may be waiting for a pipe
 * that gives nothing; the process then ends without it.
 */
export function orInterrupted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((settle, fail) => {
    const stop = () => fail(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(settle, fail).finally(() => signal.removeEventListener('abort', stop));
  });
}

const listeners = new Map<string, () => void>();
let interrupted = new AbortController();

/** Asks the work to stop, as a signal does. It may be asked so as often as one likes. */
export function interrupt(exitCode: number, message?: string): void {
  interrupted.abort(new Interrupted(exitCode, message));
}

/**
 * Does work that keeps this thread busy, so that listeners of signals would only be called at its end. Meanwhile the
 * listeners are off, and SIGINT and SIGTERM end the process at once; shells give the same exit codes. Only for work
 * during which no file is half written.
 *
 * @throws what the work throws, or the signal's reason
 */
export async function withDefaultSignals<T>(
  signal: AbortSignal | undefined,
  work: () => T | Promise<T>,
): Promise<T> {
  // The event loop looks for signals once in each turn. One that came since it last did is heard in the next turn; if
  // listeners went off before that, it would be lost.
  await setImmediate();
  await setImmediate();
  signal?.throwIfAborted();
  for (const [name, listener] of listeners) process.off(name, listener);
  try {
    return await work();
  } finally {
    for (const [name, listener] of listeners) process.on(name, listener);
  }
}

/**
 * A signal that aborts, with an `Interrupted` as its reason, at the first SIGINT or SIGTERM of the process.
 *
 * @param options `stopAfter`: or when so many seconds have passed
 */
export function interruptSignal({ stopAfter }: { readonly stopAfter?: number } = {}): AbortSignal {
  const controller = new AbortController();
  interrupted = controller;
  let asked: number | undefined;
  for (const [name, exitCode] of Object.entries(EXIT_CODES)) {
    const listener = () => {
      const now = performance.now();
      if (name === 'SIGTERM' && asked !== undefined && now - asked < SAME_MILLISECONDS) return;
      // platform/temporary.ts removes half-written files when the process exits.
      if (asked !== undefined) process.exit(exitCode);
      asked = now;
      controller.abort(new Interrupted(exitCode));
    };
    listeners.set(name, listener);
    process.on(name, listener);
  }
  if (stopAfter !== undefined) {
    const stop = () =>
      controller.abort(new Interrupted(TRY_AGAIN, `stopped after ${stopAfter} s, not done yet`));
    setTimeout(stop, 1000 * stopAfter).unref();
  }
  return controller.signal;
}
