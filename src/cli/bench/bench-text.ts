/** Reports of `scree bench` in short, and comparisons of them, as text for a terminal. */
import type { Change, Comparison } from '../../bench/compare.ts';
import type { BenchReport, DistanceReport, Spread } from '../../bench/report.ts';
import { distanceTables } from '../../bench/report-page/distance.ts';
import { cellText, type NamedTable, VERDICTS } from '../../bench/report-page/parts.ts';
import { machineOf, notesOf, summaryOf } from '../../bench/summary.ts';
import { formatBytes, formatCount, formatTable } from '../format.ts';

/** What the page says first; of distances all figures, and each statement. Without a final newline. */
export function formatReport(report: BenchReport): string {
  const shown = ['adapter', 'copy kernel, the yardstick', 'processor', 'host'];
  const machine = machineOf(report).filter(([name]) => shown.includes(name));
  const parts = [machine, summaryOf(report)].filter((rows) => rows.length > 0);
  const { distance } = report;
  const figures = distance === undefined ? [] : [...distanceTables(distance).map(formatNamed), statements(distance)];
  return [...figures, ...parts.map((rows) => formatTable(rows)), notesOf(report).join('\n')]
    .filter(Boolean)
    .join('\n\n');
}

function formatNamed({ name, explanation, columns, groups }: NamedTable): string {
  const heads = columns.map((column) => column.replace('@', '').replace('|', ', '));
  const right = [...columns.keys()].filter((k) => k > 0);
  const rows = groups.flatMap((group) => [
    ...(group.name === undefined ? [] : [[group.name]]),
    ...group.rows.map((row) => row.map(cellText)),
  ]);
  return `${name}. ${explanation}\n${formatTable([heads, ...rows], right)}`;
}

function statements({ findings }: Pick<DistanceReport, 'findings'>): string {
  const rows = findings.map(({ agrees, source, statement, measured }) => [
    ...[cellText(VERDICTS[agrees]), `${statement} (${source})`, measured],
  ]);
  return `Statements\n${formatTable(rows)}`;
}

const seconds = (value: number) => `${Number(value.toPrecision(3))}`;

/** Without a final newline. */
export function formatComparison(comparison: Comparison): string {
  const { changes, onlyBefore, onlyAfter, medianRatio, copyBefore, copyAfter, differences } = comparison;
  const byChance = Math.round(comparison.byChance);
  const of = (verdict: Change['verdict']) => changes.filter((change) => change.verdict === verdict);
  const noise = of('within noise').length;
  const single = of('not repeated').length;
  const counts = [
    `${formatCount(changes.length)} compared`,
    `${formatCount(noise)} within noise`,
    single > 0 && `${formatCount(single)} measured once only, which tells nothing of noise`,
    onlyBefore > 0 && `${formatCount(onlyBefore)} only before`,
    onlyAfter > 0 && `${formatCount(onlyAfter)} only now`,
  ];
  const copy = `copy kernel ${formatBytes(copyBefore)}/s before, ${formatBytes(copyAfter)}/s now`;
  const whole = [
    counts.filter(Boolean).join(', '),
    byChance > 0 && `about ${formatCount(byChance)} faster or slower by chance alone, if nothing had changed`,
    `all together: ${seconds(medianRatio)} times the time (median); ${copy}`,
  ];
  const warning = ['not the same machine or programs, which may be why:', ...differences.map((line) => `  ${line}`)];
  return [
    differences.length > 0 && warning.join('\n'),
    changed('slower', of('slower')),
    changed('faster', of('faster')),
    whole.filter(Boolean).join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function changed(verdict: string, changes: readonly Change[]): string {
  if (changes.length === 0) return `nothing became ${verdict} beyond the noise`;
  const factor = (change: Change) => Math.abs(Math.log(change.ratio));
  const range = ({ min, median, max }: Spread) => `${seconds(median)} (${seconds(min)} .. ${seconds(max)})`;
  const rows = changes
    .toSorted((a, b) => factor(b) - factor(a))
    .map(({ suite, body, way, what, points, before, after, ratio: times }) => [
      ...[suite, body, way, what, points === 0 ? '' : `${formatCount(points)} points`],
      ...[range(before), range(after), seconds(times)],
    ]);
  const columns = ['suite', 'body', 'way', 'what', '', 'seconds before', 'now', 'times'];
  return `${verdict}: ${formatCount(changes.length)}\n${formatTable([columns, ...rows], [4, 5, 6, 7])}`;
}
