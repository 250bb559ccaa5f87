/**
 * How long the tables of a body or batch are kept. Calls that need all of it take turns; others run beside them.
 * `destroy()` waits for those under way only.
 */
import { InputError } from '../errors.ts';
import type { Device } from './device.ts';

export interface LifetimeOptions {
  /** Calls of all that a device owns take turns; without one, those of its own alone do. */
  readonly device: Device | undefined;
  /** What it is, for messages: `rock.stl: this polyhedron`. */
  readonly name: string;
  /** Gives back what calls use; called once, when it is destroyed and no call uses it any more. */
  readonly release: () => void;
}

/** Turns, and the end, of something that calls use for a while. */
export class Lifetime {
  readonly #options: LifetimeOptions;
  #destroyed = false;
  /** Aborts the calls under way when all is over. */
  readonly #closing = new AbortController();
  /** Who uses it right now. */
  #users = 0;
  readonly #forget: () => void;
  /** The last call that waits for those before it. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: LifetimeOptions) {
    this.#options = options;
    this.#forget = options.device?.own(this) ?? (() => {});
  }

  /** Aborted, with the reason, when it is destroyed; with another signal, when either is. */
  signal(other?: AbortSignal): AbortSignal {
    return other ? AbortSignal.any([other, this.#closing.signal]) : this.#closing.signal;
  }

  /** @throws what says why it cannot be used any more. */
  requireOpen(): void {
    this.#options.device?.assertOpen();
    this.#closing.signal.throwIfAborted();
  }

  /** Runs work after all that the device has under way; nothing is released until it is done. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const { device } = this.#options;
    return device ? device.exclusive(() => this.hold(work)) : this.inTurn(work);
  }

  /** Runs work after what was asked here before; nothing is released until it is done. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(() => this.hold(work));
    this.#tail = result.catch(() => {});
    return result;
  }

  /** Runs work that takes its turns itself; nothing is released until it is done. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.requireOpen();
    const letGo = this.use();
    try {
      return await work();
    } finally {
      letGo();
    }
  }

  /** Nothing is released until the function that this returns has been called, once. */
  use(): () => void {
    this.#users++;
    return () => {
      this.#users--;
      if (this.#destroyed && this.#users === 0) this.#options.release();
    };
  }

  /** Ends it: calls under way reject, as later ones do. Safe to call twice. */
  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#forget();
    this.#closing.abort(this.#reasonOfEnd());
    if (this.#users === 0) this.#options.release();
  }

  /** What calls under way reject with: where the device took the body along, that says it. */
  #reasonOfEnd(): unknown {
    try {
      this.#options.device?.assertOpen();
    } catch (error) {
      return error;
    }
    return new InputError(`${this.#options.name} was destroyed; create a new one`);
  }
}
