/** What pages say of a report of `scree bench`: the machine, the command, statements beside what was measured. */
import { readFileSync } from 'node:fs';
import { parseReport } from '../src/bench/read-report.ts';
import type { BenchReport, Finding } from '../src/bench/report.ts';
import { formatAdapter } from '../src/cli/format.ts';
import { InputError } from '../src/errors.ts';

/** @throws InputError for a file that cannot be read, or is no report. */
export function readReport(path: string): BenchReport {
  let json: string;
  try {
    json = readFileSync(path, 'utf8');
  } catch (error) {
    throw new InputError(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return parseReport(json, path);
}

export function machineText({ environment, date }: BenchReport): string {
  const { cpu, cores, runtime, adapter, versions } = environment;
  return [
    ...(cpu === '' ? [] : [cpu]),
    `${cores} cores`,
    runtime,
    formatAdapter(adapter),
    `scree ${versions.scree ?? ''}`.trim(),
    date.slice(0, 10),
  ].join(', ');
}

/** Machine, date, load and command. */
export function headMarkdown(report: BenchReport): string {
  return `${machineText(report)}, load before ${report.environment.loadBefore}<br>\n\`${report.commands[0] ?? ''}\``;
}

/** A table of cells; bars in them are escaped. */
export function tableMarkdown(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  names = columns.length,
): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((content) => content.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = columns.map((_, k) => (k < names ? '---' : '---:'));
  return [line(columns), line(rule), ...rows.map(line)].join('\n');
}

/** What `whose` statements became here. */
export function findingsMarkdown(whose: string, findings: readonly Finding[]): string {
  const verdicts = { yes: 'agrees', no: 'differs', 'not measured': 'not measured' } as const;
  return tableMarkdown(
    [whose, 'here', 'measured, and why it differs'],
    findings.map(({ source, statement, measured, agrees, why }) => [
      `${source}: ${statement}`,
      verdicts[agrees],
      [measured, why].filter((part) => part !== '').join(' '),
    ]),
  );
}
