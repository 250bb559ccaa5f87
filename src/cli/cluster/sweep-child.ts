/** What a process of `scree sweep --jobs` and its children, a task each, tell each other. */
import { interrupt } from '../interrupt.ts';
import type { Progress } from '../progress.ts';

/** From a child: how far it is, 0 to 1. */
export interface ChildMessage {
  readonly fraction: number;
}

/**
 * To a child: it is to save and end. Not a signal, as a scheduler may send one to all processes of a job, and a second
 * one would end the child at once.
 */
export interface ParentMessage {
  readonly exitCode: number;
  /** Why. */
  readonly line: string;
}

const TERMINATED = 143;

/** Between two messages. */
const TELL_MILLISECONDS = 500;

/**
 * Of a child: progress goes to the process that started it. If that one is gone, the child stops as at SIGTERM.
 * Undefined in a process that is no such child.
 */
export function reportToParent(): Progress | undefined {
  if (process.send === undefined) return undefined;
  process.on('message', ({ exitCode, line }: ParentMessage) => interrupt(exitCode, line));
  process.once('disconnect', () => interrupt(TERMINATED));
  if (!process.connected) interrupt(TERMINATED);
  // The listeners alone would keep the process alive.
  process.channel?.unref();
  let last = 0;
  return {
    stage() {},
    update(done, total) {
      if (performance.now() - last < TELL_MILLISECONDS) return;
      last = performance.now();
      const message: ChildMessage = { fraction: total === 0 ? 1 : done / total };
      // The parent may be gone: `disconnect` tells.
      if (process.connected) process.send?.(message, () => {});
    },
    stop() {},
  };
}
