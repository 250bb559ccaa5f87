/** `scree bench --browser`: the suites in a page of a headless Chrome. */
import type { BenchReport, SuiteName } from '../bench/report.ts';
import type { BenchProgress } from '../bench/run-suites.ts';
import type { AdapterPreference } from '../index.ts';

export interface BrowserRun {
  readonly suites: readonly SuiteName[];
  readonly quick: boolean;
  readonly adapter: AdapterPreference;
  /** Commands that repeat the run, for the report. */
  readonly commands: readonly string[];
  readonly signal?: AbortSignal;
  /** Called between measurements only. */
  readonly onProgress?: (line: BenchProgress) => void;
}

export async function runInBrowser(_options: BrowserRun): Promise<BenchReport> {
  const { ScreeError } = await import('../index.ts');
  throw new ScreeError('this build cannot run the benchmark in a browser: use --node', 1);
}
