/** Runs suites on a device and returns their report: the same code in Node and in a browser's page. */
import { type Device, InputError } from '../index.ts';
import { measureCopyRate } from './points/copy.ts';
import { type BenchReport, REPORT_VERSION } from './report.ts';
import { spread } from './spread.ts';
import type { BenchHost, MeasuredCase, PlannedSuite, RunContext, SuiteResult } from './suite.ts';
import { CHOSEN_SUITES, SUITE_NAMES, type SuiteName } from './suite-names.ts';
import { planSuite } from './suites.ts';

/** Of the copy kernel: enough to tell a rate, on a software adapter too. */
const QUICK_COPY_BYTES = 1 << 20;

/** Where a run is: `done` of `total` steps, with `stage` the one that begins, and cases that have ended before it. */
export interface BenchProgress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
  /** Since the last line. */
  readonly measured: readonly MeasuredCase[];
}

export interface RunSuitesOptions {
  /** Stays open; it belongs to the caller. */
  readonly device: Device;
  /** In the order in which they run and are reported. */
  readonly suites: readonly SuiteName[];
  /** Small bodies and few points: whether it runs, in about a minute on two cores. */
  readonly quick: boolean;
  /** Keys of the ways to run, of suites whose ways may be chosen; undefined: those that suites run by themselves. */
  readonly ways?: readonly string[] | undefined;
  readonly host: BenchHost;
  /** Stops the run between two slices of work; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Called between measurements only, never while something is timed; no figure contains its time. Its promise is
   * awaited: a page has to be drawn before kernels are timed, not beside them.
   */
  readonly onProgress?: (line: BenchProgress) => void | Promise<void>;
}

/**
 * Measures suites, and checks all flags and answers against exact ones. The report's `remarks` say what was left out.
 *
 * @throws InputError for unknown suites and ways, and for ways of suites whose ways are not chosen.
 * @throws WrongFlags or WrongAnswers, ScreeErrors with exit code 1, if a flag or an answer of scree is wrong; they name
 *   way, body and points, or shapes and pairs.
 * @throws DeviceError if the device is lost or out of memory.
 */
export async function runSuites(options: RunSuitesOptions): Promise<BenchReport> {
  const { device, quick, ways, host, signal, onProgress } = options;
  const names = [...new Set(options.suites)];
  const known = SUITE_NAMES.join(', ');
  if (names.length === 0) throw new InputError(`suites: none found, expected some of ${known}`);
  const unknown = names.find((name) => !SUITE_NAMES.includes(name));
  if (unknown !== undefined) throw new InputError(`suite "${unknown}": expected one of ${known}`);
  const fixed = ways && names.find((name) => !(CHOSEN_SUITES as readonly string[]).includes(name));
  if (fixed !== undefined)
    throw new InputError(`ways: found with suite "${fixed}", expected with ${CHOSEN_SUITES.join(' or ')}`);
  const date = new Date().toISOString();
  const facts = await host.environment();
  const copyRates: number[] = [];
  const measured: MeasuredCase[] = [];
  const context: RunContext = {
    ...{ device, quick, ways, host, signal },
    onCase: (of) => void measured.push(of),
    async measureCopyRate() {
      copyRates.push(await measureCopyRate(device, quick ? QUICK_COPY_BYTES : undefined));
    },
  };
  const planned: { readonly name: SuiteName; readonly suite: PlannedSuite }[] = [];
  for (const name of names) planned.push({ name, suite: await planSuite(name, context) });
  const total = planned.reduce((sum, { suite }) => sum + suite.steps, 1);
  let done = 0;
  const step = async (stage: string) => onProgress?.({ stage, done: done++, total, measured: measured.splice(0) });

  await step('warming up');
  for (const { suite } of planned) await suite.warmUp?.();
  // Suites that do not ask for it have a yardstick, too.
  await context.measureCopyRate();
  const results: SuiteResult[] = [];
  for (const { name, suite } of planned) results.push(await suite.run((what) => step(`${name}: ${what}`)));
  const pairs = results.find((one) => one.pairs !== undefined)?.pairs;
  const contacts = results.find((one) => one.contacts !== undefined)?.contacts;
  const dem = results.find((one) => one.dem !== undefined)?.dem;
  const stacks = results.find((one) => one.stacks !== undefined)?.stacks;
  const distance = results.find((one) => one.distance !== undefined)?.distance;
  return {
    ...{ format: 'scree-bench', version: REPORT_VERSION, date, commands: host.commands, quick },
    environment: { ...facts, adapter: device.adapter, timestamps: device.features.has('timestamp-query') },
    copyBytesPerSecond: spread(copyRates),
    suites: results.flatMap((one) => one.suites ?? []),
    ...(pairs && { pairs }),
    ...(contacts && { contacts }),
    ...(dem && { dem }),
    ...(stacks && { stacks }),
    ...(distance && { distance }),
    remarks: results.flatMap((one) => one.remarks),
  };
}
