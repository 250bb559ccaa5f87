/** The page that `scree bench --browser` opens: nothing to see, and nothing drawn while something is timed. */
import { type BenchPage, type PageAnswer, type PageError, PROGRESS_FUNCTION } from '../../src/bench/page.ts';
import { DeviceError, openDevice, ScreeError } from '../../src/index.ts';
import { type Bare, openBare } from './bare.ts';
import { run } from './run.ts';

let bare: Bare | undefined;

const page: BenchPage = {
  adapter: (preference) =>
    answer(async () => {
      const device = await openDevice({ adapter: preference });
      device.destroy();
      return device.adapter;
    }),
  async run(request) {
    const say = (globalThis as unknown as Record<string, ((line: string) => void) | undefined>)[PROGRESS_FUNCTION];
    return JSON.stringify(await answer(() => run(request, { onProgress: (line) => say?.(JSON.stringify(line)) })));
  },
  open: (page, search) =>
    answer(async () => {
      bare?.destroy();
      bare = undefined;
      bare = await openBare(page, search);
      return { count: bare.count, chosen: bare.chosen };
    }),
  work: (amount) => answer(() => bare!.work(amount)),
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
    ...{ name, message, ...(stack !== undefined && { stack }) },
    ...(error instanceof ScreeError && { exitCode: error.exitCode }),
    ...(error instanceof DeviceError && { message: error.problem, reason: error.reason }),
  };
}

Object.assign(globalThis, { screeBench: page });
