/** What a process of `scree sweep --jobs` and its children, a task each, tell each other. */
import type { Progress } from './progress.ts';

/** How far a child is, 0 to 1. */
export interface ChildMessage {
  readonly fraction: number;
}

/** Between two messages. */
const TELL_MILLISECONDS = 500;

/**
 * Of a child: progress goes to the process that started it. If that one is gone, the child stops as at SIGTERM.
 * Undefined in a process that is no such child.
 */
export function reportToParent(): Progress | undefined {
  if (process.send === undefined) return undefined;
  process.once('disconnect', () => process.emit('SIGTERM'));
  // The listener alone would keep the process alive.
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
