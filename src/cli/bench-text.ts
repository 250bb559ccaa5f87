/** Reports of `scree bench`, and comparisons of them, as text for a terminal. */
import type { Change, Comparison } from '../bench/compare.ts';
import type {
  BenchReport,
  BodyReport,
  RunReport,
  SetUpReport,
  Spread,
  SuiteReport,
} from '../bench/report.ts';
import { setUpFor } from '../bench/report-parts.ts';
import { growthTable, pairsTable } from './bench-pairs-text.ts';
import { formatAdapter, formatBytes, formatCount, formatTable } from './format.ts';

/** Without a final newline. */
export function formatReport(report: BenchReport): string {
  const { environment, date, copyBytesPerSecond, remarks } = report;
  const { runtime, cpu, cores, adapter, loadBefore, timestamps } = environment;
  const head = formatTable([
    ['machine', [cpu, `${cores} cores`, runtime].filter(Boolean).join(', ')],
    ['adapter', formatAdapter(adapter)],
    ['copy kernel', `${formatBytes(copyBytesPerSecond.median)}/s`],
    ['date', `${date}${loadBefore < 0 ? '' : `, load before ${loadBefore}`}`],
    ['GPU timestamps', timestamps ? 'in the report' : 'none on this adapter'],
  ]);
  const quick = report.quick ? ['A quick run: it shows that everything works, not how fast.'] : [];
  const { pairs } = report;
  const ofPairs =
    pairs === undefined
      ? []
      : ['suite pairs', pairsTable(pairs), growthTable(pairs), ...findings(pairs)].filter(
          (part) => part !== '',
        );
  return [head, ...quick, ...report.suites.map(formatSuite), ...ofPairs, ...remarks].join('\n\n');
}

function formatSuite(suite: SuiteReport): string {
  const parts = suite.name === 'paper' ? [paperTable(suite), ...findings(suite)] : [insideTable(suite)];
  return [`suite ${suite.name}`, ...parts].join('\n\n');
}

const seconds = (value: number) => `${Number(value.toPrecision(3))}`;
const millions = ({ median }: Spread) => `${Number((median / 1e6).toPrecision(3))}`;
const ratio = (value: number) => (value === 0 ? '' : `${Number(value.toPrecision(2))}`);

/** Marks what was not measured as a whole. */
function marked(run: RunReport, text: string): string {
  return run.status === 'left-out' ? '-' : run.status === 'extrapolated' ? `~${text}` : text;
}

/** Rows of every way on every body, with the body named once. */
function rowsOf(
  suite: SuiteReport,
  cells: (body: BodyReport, way: string) => readonly string[],
): readonly (readonly string[])[] {
  return suite.bodies.flatMap((body) =>
    suite.ways
      .filter(({ key }) => body.runs.some((run) => run.way === key))
      .map(({ key, label }, i) => [
        i === 0 ? body.name : '',
        i === 0 ? formatCount(body.triangles) : '',
        label,
        ...cells(body, key),
      ]),
  );
}

/** Seconds with set-up, by numbers of points. */
function paperTable(suite: SuiteReport): string {
  const all = suite.bodies.flatMap(({ runs }) => runs.map(({ points }) => points));
  const points = [...new Set(all)].sort((a, b) => a - b);
  const rows = rowsOf(suite, (body, way) =>
    points.map((count) => {
      const run = body.runs.find((one) => one.way === way && one.points === count);
      if (run === undefined) return '';
      const setUp = setUpFor(body, run);
      return marked(run, seconds((setUp?.total.median ?? 0) + run.seconds.total.median));
    }),
  );
  const columns = ['body', 'triangles', 'way', ...points.map((count) => `${formatCount(count)} points`)];
  const right = columns.map((_, k) => k).filter((k) => k === 1 || k > 2);
  return `Seconds, set-up included, medians (~ scaled up from a part of the points, - left out)\n${formatTable([columns, ...rows], right)}`;
}

function insideTable(suite: SuiteReport): string {
  const sets = ['grid', 'random', 'near'] as const;
  const peer = suite.ways.some(({ kind }) => kind === 'peer');
  const rows = rowsOf(suite, (body, way) => {
    const runs = sets.map((set) => body.runs.find((run) => run.way === way && run.set === set));
    const setUp: SetUpReport | undefined = body.setUps.find((one) => one.way === way);
    return [
      ...runs.flatMap((run) =>
        run === undefined
          ? ['', ...(peer ? [''] : []), '']
          : [
              marked(run, millions(run.pointsPerSecond)),
              ...(peer ? [ratio(run.ratioToPeer)] : []),
              ratio(run.ratioToCopy),
            ],
      ),
      setUp ? seconds(setUp.total.median) : '',
    ];
  });
  const columns = [
    ...['body', 'triangles', 'way'],
    ...sets.flatMap((set) => [set, ...(peer ? ['x bvh'] : []), 'x copy']),
    'set-up',
  ];
  const right = columns.map((_, k) => k).filter((k) => k === 1 || k > 2);
  return `Millions of points per second, medians, and how many times as fast as ${peer ? 'three-mesh-bvh and as ' : ''}the copy kernel; seconds of set-up\n${formatTable([columns, ...rows], right)}`;
}

function findings({ findings: all }: Pick<SuiteReport, 'findings'>): string[] {
  const mark = { yes: 'as here', no: 'not so here', 'not measured': 'not measured' } as const;
  return all.map(({ source, statement, measured, agrees, why }) =>
    [`${source} (${mark[agrees]}): ${statement}`, `  ${measured}`, ...(why === '' ? [] : [`  ${why}`])].join(
      '\n',
    ),
  );
}

/** Without a final newline. */
export function formatComparison(comparison: Comparison): string {
  const { changes, onlyBefore, onlyAfter, medianRatio, copyBefore, copyAfter, differences } = comparison;
  const byChance = Math.round(comparison.byChance);
  const of = (verdict: Change['verdict']) => changes.filter((change) => change.verdict === verdict);
  const noise = of('within noise').length;
  const single = of('not repeated').length;
  const only = [
    ...(onlyBefore > 0 ? [`${formatCount(onlyBefore)} only before`] : []),
    ...(onlyAfter > 0 ? [`${formatCount(onlyAfter)} only now`] : []),
  ];
  const counts = [
    `${formatCount(changes.length)} compared`,
    `${formatCount(noise)} within noise`,
    ...(single > 0 ? [`${formatCount(single)} measured once only, which tells nothing of noise`] : []),
    ...only,
  ].join(', ');
  const whole = `all together: ${seconds(medianRatio)} times the time (median); copy kernel ${formatBytes(copyBefore)}/s before, ${formatBytes(copyAfter)}/s now`;
  const warning =
    differences.length === 0
      ? []
      : [
          [
            'not the same machine or programs, which may be why:',
            ...differences.map((line) => `  ${line}`),
          ].join('\n'),
        ];
  return [
    ...warning,
    changed('slower', of('slower')),
    changed('faster', of('faster')),
    [
      counts,
      ...(byChance > 0
        ? [`about ${formatCount(byChance)} faster or slower by chance alone, if nothing had changed`]
        : []),
      whole,
    ].join('\n'),
  ].join('\n\n');
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
