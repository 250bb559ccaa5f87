/** The page that `scree bench --browser` opens: nothing to see, and nothing drawn while something is timed. */
import {
  type BenchPage,
  PAGE_OBJECT,
  type PageAnswer,
  type PageError,
  PROGRESS_FUNCTION,
  type RunAnswer,
} from '../../src/bench/page.ts';
import { openDevice, ScreeError } from '../../src/index.ts';
import { run } from './run.ts';

const page: BenchPage = {
  adapter: (preference) =>
    answer(async () => {
      const device = await openDevice({ adapter: preference });
      device.destroy();
      return device.adapter;
    }),
  async run(request) {
    const say = (globalThis as unknown as Record<string, ((line: string) => void) | undefined>)[PROGRESS_FUNCTION];
    const told: RunAnswer = await answer(() => run(request, { onProgress: (line) => say?.(JSON.stringify(line)) }));
    return JSON.stringify(told);
  },
};

async function answer<T>(work: () => Promise<T>): Promise<PageAnswer<T>> {
  try {
    return { result: await work() };
  } catch (error) {
    return { error: describe(error) };
  }
}

function describe(error: unknown): PageError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  return {
    name,
    message,
    ...(stack !== undefined && { stack }),
    ...(error instanceof ScreeError && { exitCode: error.exitCode }),
    ...('reason' in error && { reason: String(error.reason) }),
  };
}

(globalThis as unknown as Record<string, BenchPage>)[PAGE_OBJECT] = page;
