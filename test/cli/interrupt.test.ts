import { readFile } from 'node:fs';
import { expect, it } from 'vitest';
import { Interrupted, interruptSignal, withDefaultSignals } from '../../src/cli/interrupt.ts';

it.runIf(process.platform !== 'win32')(
  'a signal that comes just before work that keeps the thread busy is heard',
  async () => {
    const names = ['SIGINT', 'SIGTERM'] as const;
    const before = names.map((name) => process.listeners(name));
    const signal = interruptSignal();
    try {
      const work = new Promise<string>((settle, fail) => {
        // The event loop calls this after it has looked for signals in this turn.
        readFile(import.meta.filename, () => {
          process.kill(process.pid, 'SIGTERM');
          withDefaultSignals(signal, () => 'done').then(settle, fail);
        });
      });
      await expect(work).rejects.toThrow(Interrupted);
      expect(signal.aborted).toBe(true);
    } finally {
      names.forEach((name, i) => {
        for (const listener of process.listeners(name))
          if (!before[i]!.includes(listener)) process.off(name, listener);
      });
    }
  },
);
