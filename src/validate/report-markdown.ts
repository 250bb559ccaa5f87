/** The report of `scree validate` as Markdown: docs/validation.md. */
import type { CaseReport } from './run-cases.ts';
import { countRows } from './run-cases.ts';
import { numberText, type Row } from './validation-case.ts';

/** Shares in percent, others in the unit of the value. */
export function errorText({ isShare }: Row, error: number): string {
  const text = numberText(isShare ? 100 * error : error, 2);
  return isShare ? `${text} %` : text;
}

/** Names of the files of a case's charts, without a folder. */
export function chartFiles({ name, charts = [] }: CaseReport): string[] {
  return charts.map((_, i) => `${name}${i === 0 ? '' : `-${i + 1}`}.svg`);
}

/** A case that was asked for and did not run. */
export interface LeftOut {
  readonly name: string;
  readonly because: string;
}

/**
 * @param folder of the charts, as seen from the report
 * @param command that makes this report
 * @param leftOut cases that did not run on the GPU
 */
export function reportMarkdown(
  reports: readonly CaseReport[],
  folder: string,
  command: string,
  leftOut: readonly LeftOut[] = [],
): string {
  const { passed, failed } = countRows(reports);
  return [
    '# Validation',
    '',
    'What simulations come to, beside closed forms, published numbers and laws of conservation. Written by',
    '',
    '```sh',
    ...command
      .split(/ (?=--)/)
      .map((part, i, all) => `${i ? '  ' : ''}${part}${i < all.length - 1 ? ' \\' : ''}`),
    '```',
    '',
    ...wrapped(
      'In a checkout, `npm run validate` builds scree and runs this. It ends with exit code 1 where a row fails. ' +
        'Errors in percent are shares of what is expected, others are in the unit of the value.',
    ),
    '',
    `**${passed} passed, ${failed} failed.**`,
    ...(leftOut.length > 0 ? ['', 'Left out on the GPU:', ''] : []),
    ...leftOut.map(({ name, because }) => `- ${name}: ${because}`),
    ...reports.flatMap((report) => ['', ...caseMarkdown(report, folder)]),
    '',
  ].join('\n');
}

function caseMarkdown(report: CaseReport, folder: string): string[] {
  const { name, shows, source, rows, charts = [], failure } = report;
  const reasons = [...new Set(rows.map(({ because }) => because))];
  const files = chartFiles(report);
  return [
    `## ${name}`,
    '',
    ...wrapped(`${shows} Source: ${source}.`),
    '',
    ...(failure === undefined ? [] : [...wrapped(`**Failed**: ${failure}`), '']),
    ...(rows.length > 0
      ? ['| what | expected | got | error | allowed |', '| --- | ---: | ---: | ---: | ---: |']
      : []),
    ...rows.map((row) => {
      const [error, allowed] = [row.error, row.tolerance].map((value) =>
        row.isBound ? '' : errorText(row, value),
      );
      const mark = row.passed ? '' : ' **failed**';
      return `| ${row.what} | ${row.expected} | ${row.got}${mark} | ${error} | ${allowed} |`;
    }),
    ...(reasons.length > 0
      ? ['', 'Allowed:', '', ...reasons.flatMap((reason) => wrapped(`- ${reason}`, '  '))]
      : []),
    ...charts.flatMap(({ title }, i) => ['', `![${title}](${folder}/${files[i]})`]),
  ];
}

/** Lines of at most 120 columns. @param indent of all but the first */
function wrapped(text: string, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > 120) {
      lines.push(line);
      line = indent + word;
    } else line += (line === '' ? '' : ' ') + word;
  }
  return [...lines, line];
}
