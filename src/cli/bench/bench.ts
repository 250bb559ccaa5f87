/** `scree bench`: the suites in Node or in headless Chrome, their report, and comparisons of reports. */
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { BenchReport } from '../../bench/report.ts';
import type { BenchProgress } from '../../bench/runner.ts';
import { CHOSEN_SUITES, MAIN_SUITES, SUITE_NAMES, type SuiteName } from '../../bench/suite-names.ts';
import type { AdapterPreference } from '../../index.ts';
import { openDeviceFor } from '../device.ts';
import { describeFileError, fileError, makeFolder, requireWritablePath } from '../files.ts';
import { interruptSignal } from '../interrupt.ts';
import { adapterOption, jsonOption, type OutputFlags, withCommonOptions } from '../options.ts';
import { printJson, writeFileAtomically } from '../output.ts';
import { openProgress } from '../progress.ts';

interface BenchFlags extends OutputFlags {
  readonly suite: SuiteName | 'all';
  readonly browser?: boolean;
  readonly node?: boolean;
  readonly adapter: AdapterPreference;
  readonly quick?: boolean;
  readonly ways?: readonly string[];
  readonly out: string;
  readonly compare?: readonly string[];
}

export function addBench(program: Command): void {
  const command = program
    .command('bench')
    .summary('measure how fast points are classified and pairs are answered, and write a report')
    .description(
      'Measure how fast points are classified and pairs of convex bodies answered, in Node or in headless Chrome: ' +
        'the experiments of the source paper, scree against three-mesh-bvh and the copy kernel of the adapter, and ' +
        'the randomized benchmark of a thesis, and packings, at rest and in motion, with Rapier beside them. All ' +
        'flags and answers are held against surer ones. Writes report.html and report.json.',
    )
    .addOption(
      new Option(
        '--suite <name>',
        'paper: its figures; inside: against others; pairs: convex; contacts, dem: packings; all: these; others: parts',
      )
        .choices(['all', ...SUITE_NAMES])
        .default('all'),
    )
    .addOption(new Option('--node', 'in this process (default)').conflicts('browser'))
    .addOption(new Option('--browser', 'in headless Chrome'))
    .addOption(adapterOption())
    .option('--quick', 'small bodies, few points and pairs: whether it runs, in about a minute')
    .option('--ways <keys>', `of suite ${CHOSEN_SUITES.join(' or ')}: these ways alone, with commas between`, keys)
    .option('--out <folder>', 'folder to write to, made if it is missing', 'scree-out/bench')
    .option(
      '--compare <reports...>',
      'also print what became faster or slower than in OLD.json; with a second file, compare the two and run nothing',
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  scree bench --quick
  scree bench --suite paper --browser --out results
  scree bench --suite dem --ways dem-impulses,rapier    steps by impulses on the CPU, and Rapier's
  scree bench --compare results/report.json             run, and compare with an earlier run
  scree bench --compare old.json new.json               compare two runs`,
    )
    .action((flags: BenchFlags) => bench(flags, command));
  withCommonOptions(command);
  // Its own `--json` and `--quick` come after it.
  addPages(command.enablePositionalOptions());
  addShards(command);
}

function addPages(bench: Command): void {
  const command = bench
    .command('pages')
    .summary('measure the demo pages beside the library without a page')
    .description(
      'Measure the demo pages bulk and inside in one headless Chrome, beside the same work without a page, in turns. ' +
        'The page stands while the other works.',
    )
    .addOption(adapterOption())
    .option('--quick', 'few rocks and points: whether it runs')
    .addOption(jsonFileOption())
    .action((flags: FiguresFlags) =>
      benchFigures(flags, async (options) => {
        options.onProgress('starting Chrome');
        const { benchPages, formatPages } = await import('./bench-pages.ts');
        const report = await benchPages(options);
        return { report, text: formatPages(report) };
      }),
    );
  withCommonOptions(command);
}

function addShards(bench: Command): void {
  const command = bench
    .command('shards')
    .summary('measure points in shards beside one run, and merge beside cat')
    .description(
      'Measure what it costs to classify points in shards, one after another and two at once, beside one run; ' +
        '`scree merge` beside `cat`; and the memory of ever more points. Makes files of 8 GB, and removes them.',
    )
    .addOption(adapterOption())
    .option('--quick', 'few points: whether it runs')
    .option('--folder <folder>', 'where the files are made (default: the folder for temporary files)')
    .addOption(jsonFileOption())
    .action((flags: FiguresFlags & { readonly folder?: string }) =>
      benchFigures(flags, async (options) => {
        const { benchShards, formatShards } = await import('./bench-shards.ts');
        const report = await benchShards({ ...options, folder: flags.folder ?? tmpdir() });
        return { report, text: formatShards(report) };
      }),
    );
  withCommonOptions(command);
}

function jsonFileOption(): Option {
  return new Option('--json [file]', 'print one JSON object instead of text, or write it to a file as well');
}

interface FiguresFlags extends Pick<BenchFlags, 'adapter' | 'quick' | 'quiet'> {
  readonly json?: true | string;
}

/** What a benchmark of figures is given. */
interface FiguresRun {
  readonly adapter: AdapterPreference;
  readonly quick: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (what: string) => void;
}

async function benchFigures(
  flags: FiguresFlags,
  measure: (options: FiguresRun) => Promise<{ readonly report: object; readonly text: string }>,
): Promise<void> {
  const { adapter, quick = false, json } = flags;
  if (typeof json === 'string') await requireWritablePath(json);
  const signal = interruptSignal();
  const progress = await openProgress(flags);
  let measured: { readonly report: object; readonly text: string };
  try {
    measured = await measure({ adapter, quick, signal, onProgress: progress.stage });
  } finally {
    progress.stop();
  }
  const { report, text } = measured;
  if (json === true) return printJson(report);
  if (json !== undefined) await writeFileAtomically(json, `${JSON.stringify(report, null, 2)}\n`, { signal });
  process.stdout.write(`${text}\n`);
}

async function bench(flags: BenchFlags, command: Command): Promise<void> {
  const { compare = [], out } = flags;
  if (compare.length > 2) {
    command.error(`error: option '--compare <reports...>': ${compare.length} files found, expected one or two`);
  }
  const [before, after] = await Promise.all(compare.map(readReport));
  if (after !== undefined) return printComparison(before!, after, flags);
  if (before !== undefined) {
    const { requireComparable } = await import('../../bench/compare.ts');
    requireComparable(before, compare[0]!, { quick: flags.quick ?? false, suites: suitesOf(flags) });
  }

  await makeFolder(out);
  const [jsonPath, htmlPath] = [join(out, 'report.json'), join(out, 'report.html')];
  for (const path of [jsonPath, htmlPath]) await requireWritablePath(path);
  const signal = interruptSignal();
  const report = await run(flags, signal);
  const { reportHtml } = await import('../../bench/report-page/page.ts');
  const { reportJson } = await import('../../bench/report.ts');
  const { builtPage } = await import('./bench-node.ts');
  const html = reportHtml(report, await readFile(builtPage('charts.js'), 'utf8'));
  await writeFileAtomically(jsonPath, reportJson(report), { signal });
  await writeFileAtomically(htmlPath, html, { signal });
  const comparison = before && (await import('../../bench/compare.ts')).compareReports(before, report);
  if (flags.json) return printJson({ ...report, ...(comparison && { comparison }) });
  const { formatComparison, formatReport } = await import('./bench-text.ts');
  const written = `wrote ${jsonPath}\nwrote ${htmlPath}`;
  const parts = [formatReport(report), written, ...(comparison ? [formatComparison(comparison)] : [])];
  process.stdout.write(`${parts.join('\n\n')}\n`);
}

async function run(flags: BenchFlags, signal: AbortSignal): Promise<BenchReport> {
  const { adapter, quick = false, ways } = flags;
  const suites = suitesOf(flags);
  const progress = await openProgress(flags);
  // A line before a step, and no bar: a bar draws itself, by a timer, while something is timed.
  const onProgress = ({ stage, done, total }: BenchProgress) => progress.stage(`[${done + 1}/${total}] ${stage}`);
  const commands = [['scree bench', ...process.argv.slice(3).map(quoted)].join(' ')];
  try {
    if (flags.browser) {
      progress.stage('starting Chrome');
      const { runInBrowser } = await import('./bench-browser.ts');
      return await runInBrowser({ suites, quick, ways, adapter, commands, signal, onProgress });
    }
    const { nodeHost } = await import('./bench-node.ts');
    const { runSuites } = await import('../../bench/runner.ts');
    const host = nodeHost(commands);
    progress.stage('opening the WebGPU device');
    const device = await openDeviceFor(adapter);
    try {
      signal.throwIfAborted();
      return await runSuites({ device, suites, quick, ways, host, signal, onProgress });
    } finally {
      device.destroy();
    }
  } finally {
    progress.stop();
  }
}

const keys = (text: string) => text.split(',');

function suitesOf({ suite }: BenchFlags): SuiteName[] {
  return suite === 'all' ? [...MAIN_SUITES] : [suite];
}

/** An argument as a shell takes it. */
function quoted(argument: string): string {
  return /^[\w./:=,@%+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

async function readReport(path: string): Promise<BenchReport> {
  const { parseReport } = await import('../../bench/report.ts');
  const json = await readFile(path, 'utf8').catch(async (error: NodeJS.ErrnoException) => {
    const problem = error.code === 'EISDIR' ? 'is a folder, expected a file' : describeFileError(error, 'no such file');
    throw await fileError(`${path}: ${problem}`, error);
  });
  return parseReport(json, path);
}

async function printComparison(before: BenchReport, after: BenchReport, flags: BenchFlags): Promise<void> {
  const { compareReports } = await import('../../bench/compare.ts');
  const comparison = compareReports(before, after);
  if (flags.json) return printJson(comparison);
  const { formatComparison } = await import('./bench-text.ts');
  process.stdout.write(`${formatComparison(comparison)}\n`);
}
