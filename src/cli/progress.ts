/** Progress on standard error: a bar on a terminal; in logs and pipes a line now and then. */
import type { SingleBar } from 'cli-progress';
import { formatCount } from './format.ts';

/** The least time between two lines, where there is no terminal. */
const LINE_MILLISECONDS = 2000;

export interface Progress {
  /** Says what is being done now. */
  stage(what: string): void;
  /** Says how many items are done. @param also what else there is to say of them: `, time 0.5` */
  update(done: number, total: number, also?: string): void;
  /** Removes the bar. Safe to call twice. */
  stop(): void;
}

/**
 * @param options `quiet` for no output at all
 * @param items what is counted, in the plural
 */
export async function openProgress(
  options: { readonly quiet?: boolean | undefined },
  items = 'points',
): Promise<Progress> {
  if (options.quiet) return { stage() {}, update() {}, stop() {} };
  return process.stderr.isTTY ? openBar(items) : openLines(items);
}

function openLines(items: string): Progress {
  let last = -Infinity;
  const say = (line: string) => {
    if (performance.now() - last < LINE_MILLISECONDS) return;
    last = performance.now();
    process.stderr.write(`${line}\n`);
  };
  return {
    stage: (what) => say(what),
    update(done, total, also = '') {
      const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
      say(`${percent} % (${formatCount(done)} of ${formatCount(total)} ${items})${also}`);
    },
    stop() {},
  };
}

const CLEAR_LINE = '\r\u001b[K';

async function openBar(items: string): Promise<Progress> {
  const { SingleBar: Bar } = (await import('cli-progress')).default;
  let bar: SingleBar | undefined;
  let isStageShown = false;
  const stop = () => {
    bar?.stop();
    bar = undefined;
    if (isStageShown) process.stderr.write(CLEAR_LINE);
    isStageShown = false;
  };
  return {
    stage(what) {
      stop();
      isStageShown = true;
      process.stderr.write(`${what} ...`);
    },
    update(done, total, also = '') {
      if (bar === undefined) {
        stop();
        bar = new Bar({
          stream: process.stderr,
          format: `{bar} {percentage} % | {done} of {all} ${items}{also} | {eta_formatted} left`,
          barCompleteChar: '█',
          barIncompleteChar: '░',
          barsize: 32,
          hideCursor: true,
          clearOnComplete: true,
          // Ctrl-C is handled in interrupt.ts, and stop() brings the cursor back.
          gracefulExit: false,
        });
        bar.start(total, 0, { done: '0', all: formatCount(total), also });
      }
      bar.update(done, { done: formatCount(done), all: formatCount(total), also });
    },
    stop,
  };
}
