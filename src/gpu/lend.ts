/** Things that are made of what a body, batch or pipeline keeps, and live on their own. */
import type { Lifetime } from './lifetime.ts';
import type { Part } from './owned.ts';

/** Tables of a body, batch or pipeline that another object uses as long as it lives. */
export interface Lent {
  /** @throws what says why they cannot be used any more. */
  requireOpen(): void;
  /** They are not used any more. Called once. */
  letGo(): void;
}

/**
 * Has a thing made of what a life keeps, which stays until the thing lets go of it. The call rejects as soon as a
 * signal comes, or the life ends. A thing that is made all the same is destroyed when it is there.
 *
 * @param make gets the loan, which the thing's `destroy` lets go of, and what stops it between two steps
 */
export function lend<Made extends Part>(
  life: Lifetime,
  signal: AbortSignal | undefined,
  make: (lent: Lent, stop: AbortSignal) => Promise<Made>,
): Promise<Made> {
  const stop = life.signal(signal);
  if (stop.aborted) return Promise.reject(stop.reason);
  const lent = { requireOpen: () => life.requireOpen(), letGo: life.use() };
  const making = make(lent, stop);
  making.catch(lent.letGo);
  return unlessStopped(stop, making, (made) => made.destroy());
}

/**
 * Runs work as `Lifetime.inTurn` does. The call rejects as soon as a signal comes, or the life ends. Work that is under
 * way then keeps its turn, and what it uses, until it is done.
 */
export function inTurnUnless<T>(
  life: Lifetime,
  signal: AbortSignal | undefined,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = life.signal(signal);
  const turn = life.inTurn(() => {
    stop.throwIfAborted();
    return work(stop);
  });
  return unlessStopped(stop, turn);
}

/** What work comes to, or the reason of a signal that comes first. `drop` then gets what the work comes to. */
function unlessStopped<T>(
  signal: AbortSignal,
  work: Promise<T>,
  drop: (late: T) => void = () => {},
): Promise<T> {
  // A signal of its own: Node warns of many listeners at the one that calls without a signal share.
  const own = AbortSignal.any([signal]);
  return new Promise((resolve, reject) => {
    const stop = () => {
      reject(own.reason);
      // Its failure is nobody's any more.
      work.then(drop, () => {});
    };
    if (own.aborted) return stop();
    own.addEventListener('abort', stop, { once: true });
    // At once: a signal that comes between would drop what the caller gets.
    const settle =
      <V>(take: (value: V) => void) =>
      (value: V) => {
        own.removeEventListener('abort', stop);
        take(value);
      };
    work.then(settle(resolve), settle(reject));
  });
}
