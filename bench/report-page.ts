/** What pages say of a report of `scree bench`: the machine, the command, statements beside what was measured. */
import { readFileSync } from 'node:fs';
import { parseReport } from '../src/bench/read-report.ts';
import type { BenchReport, Finding } from '../src/bench/report.ts';
import { formatAdapter } from '../src/cli/format.ts';
import { InputError } from '../src/errors.ts';
import { requireMarkdownPlace, writeMarkdown, writeResult } from './output.ts';

/** @throws InputError for a file that cannot be read, or is no report. */
function readReport(path: string): BenchReport {
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

/** Where a report is, and where what is made of it goes: an SVG, and a section of a page in Markdown. */
export interface FigureFiles {
  readonly report: string;
  readonly chart: string;
  readonly page: string;
}

/**
 * Writes the chart and the section of a report.
 *
 * @throws InputError for what is no report, or none of the suite, or a page without the section's marks; ScreeError if a file
 *   cannot be written.
 */
export function writeFigures(
  files: FigureFiles,
  section: string,
  chartOf: (report: BenchReport) => string,
  markdownOf: (report: BenchReport) => string,
): void {
  requireMarkdownPlace(files.page, section);
  const report = readReport(files.report);
  const [chart, content] = [chartOf(report), markdownOf(report)];
  writeResult(files.chart, chart);
  writeMarkdown(files.page, section, content);
}
