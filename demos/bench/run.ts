/** One run of suites in this page: opens the device, measures, closes it. */

import type { PageRequest } from '../../src/bench/page.ts';
import type { BenchReport } from '../../src/bench/report.ts';
import { type RunSuitesOptions, runSuites } from '../../src/bench/runner.ts';
import { openDevice } from '../../src/index.ts';
import { browserHost } from './host.ts';

export type RunOptions = Pick<RunSuitesOptions, 'signal' | 'onProgress'>;

/** @throws What `openDevice` and `runSuites` throw. */
export async function run(request: PageRequest, options: RunOptions = {}): Promise<BenchReport> {
  const { suites, quick, ways, adapter, commands, facts } = request;
  const host = await browserHost(commands, facts);
  const device = await openDevice({ adapter, label: 'scree bench' });
  let wasHidden = document.hidden;
  const look = () => {
    wasHidden ||= document.hidden;
  };
  document.addEventListener('visibilitychange', look);
  try {
    const report = await runSuites({ device, suites, quick, ways, host, ...options });
    return { ...report, remarks: [...report.remarks, ...remarks(wasHidden)] };
  } finally {
    document.removeEventListener('visibilitychange', look);
    device.destroy();
  }
}

/** What a reader should know of the page that measured. */
function remarks(wasHidden: boolean): string[] {
  const found: string[] = [];
  if (!globalThis.crossOriginIsolated) {
    found.push('The page was not cross-origin isolated: no worker threads, and a clock in steps of 100 microseconds.');
  }
  if (wasHidden) found.push('The page was hidden for a part of the run: browsers slow such pages down.');
  return found;
}
