/** What a process of `scree sweep --jobs` and its children, a task each, tell each other. */
import { interrupt } from '../interrupt.ts';
import type { Progress } from '../progress.ts';

/** From a child. */
export type ChildMessage =
  /** How far its task is, 0 to 1. */
  | { readonly kind: 'progress'; readonly fraction: number }
  /** Its task is done, and was so short that another one may have this process. */
  | { readonly kind: 'idle' }
  /** Files cannot be written, whatever task comes next. */
  | { readonly kind: 'no-room' };

export type ParentMessage =
  /**
   * It is to save and end. Not a signal, as a scheduler may send one to all processes of a job, and a second one would
   * end the child at once.
   */
  | { readonly kind: 'stop'; readonly exitCode: number /** Why. */; readonly line: string }
  /** To an idle child: the next task, or none. */
  | { readonly kind: 'next'; readonly task: number | undefined };

/** Progress of a task that goes to the process that started this one, which gives tasks. */
export interface Parent extends Progress {
  /** Says that files cannot be written. */
  noRoom(): void;
  /** Asks for the next task. Undefined: there is none, or this process is to stop. */
  next(): Promise<number | undefined>;
}

const TERMINATED = 143;

/** Between two messages. */
const TELL_MILLISECONDS = 500;

/**
 * Of a child: progress goes to the process that started it. If that one is gone, the child stops as at SIGTERM.
 * Undefined in a process that is no such child.
 */
export function reportToParent(): Parent | undefined {
  if (process.send === undefined) return undefined;
  let give = (_: number | undefined) => {};
  const stop = (exitCode: number, line?: string) => {
    interrupt(exitCode, line);
    give(undefined);
  };
  process.on('message', (message: ParentMessage) => {
    if (message.kind === 'stop') stop(message.exitCode, message.line);
    else give(message.task);
  });
  process.once('disconnect', () => stop(TERMINATED));
  // The parent may be gone: `disconnect` tells.
  const tell = (message: ChildMessage) => {
    if (process.connected) process.send?.(message, () => {});
  };
  if (!process.connected) interrupt(TERMINATED);
  // The listeners alone would keep the process alive.
  process.channel?.unref();
  let last = 0;
  return {
    stage() {},
    update(done, total) {
      if (performance.now() - last < TELL_MILLISECONDS) return;
      last = performance.now();
      tell({ kind: 'progress', fraction: total === 0 ? 1 : done / total });
    },
    stop() {},
    noRoom: () => tell({ kind: 'no-room' }),
    async next() {
      const asked = new Promise<number | undefined>((settle) => {
        give = settle;
      });
      process.channel?.ref();
      tell({ kind: 'idle' });
      if (!process.connected) give(undefined);
      const task = await asked;
      process.channel?.unref();
      return task;
    },
  };
}
