/** `scree validate`: simulations beside closed forms, published numbers and laws of conservation. */

import { basename, dirname, join } from 'node:path';
import { type Command, Option } from 'commander';
import { chartSvg } from '../chart.ts';
import type { AdapterPreference, Backend } from '../index.ts';
import type { LeftOut } from '../validate/report-markdown.ts';
import type { CaseReport } from '../validate/run-cases.ts';
import type { ValidationCase } from '../validate/validation-case.ts';
import { openIfNeeded } from './device.ts';
import { makeFolder, requireWritablePath } from './files.ts';
import { formatTable } from './format.ts';
import { interruptSignal, orInterrupted } from './interrupt.ts';
import {
  adapterOption,
  jsonOption,
  type OutputFlags,
  suffixOf,
  threadsOption,
  withCommonOptions,
} from './options.ts';
import { printJson, writeFileAtomically } from './output.ts';
import { openProgress } from './progress.ts';

interface ValidateFlags extends OutputFlags {
  readonly long?: boolean;
  readonly backend?: Backend;
  readonly adapter: AdapterPreference;
  readonly case?: readonly string[];
  readonly out?: string;
  readonly threads?: number;
}

export function addValidate(program: Command): void {
  const command = program
    .command('validate')
    .summary('hold simulations against closed forms of physics')
    .description(
      'Runs small simulations whose outcome is known: impacts, friction, rotation, conservation of energy and ' +
        'momentum, and with --long hopper, heap and drum. Prints what was expected, what came and how far it is off, ' +
        'and ends with exit code 1 where that is more than the case allows.',
    )
    .option('--long', 'also cases that take minutes')
    .option('--case <names...>', 'only these cases')
    .option('--out <file>', 'also write the report: .md, and beside it a folder with its charts')
    .addOption(
      new Option(
        '--backend <backend>',
        'where steps are made: cpu in float64 (default), gpu in float32, where some cases are left out; ' +
          '--adapter alone means gpu',
      ).choices(['cpu', 'gpu']),
    )
    .addOption(adapterOption())
    .addOption(threadsOption('most threads'))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  scree validate
  scree validate --case hertz oblique
  scree validate --backend gpu --adapter software --case rest
  scree validate --long --out validation.md`,
    )
    .action((flags: ValidateFlags) => validate(flags, command));
  withCommonOptions(command);
}

async function validate(flags: ValidateFlags, command: Command): Promise<void> {
  const { long = false, out, threads, json = false } = flags;
  const { CASES } = await import('../validate/cases.ts');
  const unknown = flags.case?.find((name) => !CASES.some((one) => one.name === name));
  if (unknown !== undefined) {
    const names = CASES.map(({ name }) => name).join(', ');
    command.error(`error: option '--case <names...>': found ${unknown}, expected some of ${names}`);
  }
  if (out !== undefined) {
    suffixOf(out, '--out <file>', ['md'] as const, command);
    await requireWritablePath(out);
  }
  const backend = flags.backend ?? (flags.adapter === 'auto' ? 'cpu' : 'gpu');
  const asked = CASES.filter(({ name, isLong }) => flags.case?.includes(name) ?? (long || !isLong));
  const { countRows, runCases, whyLeftOut } = await import('../validate/run-cases.ts');
  const signal = interruptSignal();
  const choice = { adapter: flags.adapter, backend };
  const { device } = await openIfNeeded(choice);
  const why = (one: ValidationCase) => whyLeftOut(one, device, flags.case?.includes(one.name) ?? false);
  const wanted = asked.filter((one) => why(one) === undefined);
  const leftOut = asked.flatMap((one) => {
    const because = why(one);
    return because === undefined ? [] : [{ name: one.name, because }];
  });
  const progress = await openProgress(flags, 'parts');
  const reports: CaseReport[] = [];
  try {
    const onProgress = (name: string, done: number, total: number) =>
      progress.stage(
        `[${reports.length + 1}/${wanted.length}] ${name}: ${Math.round((100 * done) / total)} %`,
      );
    const cases = runCases(wanted, { device, threads, signal, onProgress });
    try {
      for (;;) {
        // A step of a software adapter takes tens of milliseconds, and a case thousands of them before it is asked.
        const { value: report, done } = await orInterrupted(cases.next(), signal);
        if (done) break;
        progress.stop();
        reports.push(report);
        if (!json) process.stdout.write(`${await formatCase(report)}\n\n`);
      }
    } finally {
      // Simulations of a case go with it. Nobody waits: it ends after the case that runs.
      void cases.return(undefined).catch(() => {});
    }
  } finally {
    progress.stop();
    device?.destroy();
  }
  if (!json)
    for (const { name, because } of leftOut)
      process.stdout.write(`left out on the GPU: ${name}: ${because}\n`);
  if (out !== undefined) await writeReport(out, reports, leftOut, signal);
  const { passed, failed } = countRows(reports);
  if (json)
    printJson({ passed, failed, backend, leftOut, cases: reports.map(({ charts: _, ...report }) => report) });
  else process.stdout.write(`${out ? `wrote ${out}\n\n` : ''}${passed} passed, ${failed} failed\n`);
  if (failed > 0) process.exitCode = 1;
}

async function formatCase({ name, shows, rows, failure, seconds }: CaseReport): Promise<string> {
  const { errorText } = await import('../validate/report-markdown.ts');
  const table = rows.map((row) => [
    ...[`  ${row.passed ? 'ok' : 'FAILED'}`, row.what, row.expected, row.got],
    ...(row.isBound ? [] : [errorText(row, row.error), errorText(row, row.tolerance)]),
  ]);
  const head = [['', '', 'expected', 'got', 'error', 'allowed']];
  return [
    `${name} (${seconds.toFixed(1)} s): ${shows}`,
    ...(failure === undefined ? [] : [`  FAILED: ${failure}`]),
    ...(rows.length > 0 ? [formatTable([...head, ...table], [2, 3, 4, 5])] : []),
  ].join('\n');
}

async function writeReport(
  out: string,
  reports: readonly CaseReport[],
  leftOut: readonly LeftOut[],
  signal: AbortSignal,
): Promise<void> {
  const { chartFiles, reportMarkdown } = await import('../validate/report-markdown.ts');
  const folder = basename(out, '.md');
  if (reports.some(({ charts = [] }) => charts.length > 0)) await makeFolder(join(dirname(out), folder));
  for (const report of reports) {
    for (const [i, file] of chartFiles(report).entries()) {
      await writeFileAtomically(join(dirname(out), folder, file), chartSvg(report.charts![i]!), { signal });
    }
  }
  const given = process.argv.slice(3).filter((argument) => argument !== '--quiet');
  const report = reportMarkdown(reports, folder, ['scree validate', ...given].join(' '), leftOut);
  await writeFileAtomically(out, report, { signal });
}
