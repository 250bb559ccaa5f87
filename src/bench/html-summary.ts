/** The page's head: machine, what to know before reading, and the main findings in numbers. */
import {
  ascending,
  bodyText,
  hasTime,
  isPositive,
  pointsText,
  runsOf,
  SET_LABELS,
  type ShownSuite,
  waysOf,
} from './html-model.ts';
import { type Cell, findingCard, table } from './html-parts.ts';
import {
  adapterName,
  bytesText,
  countText,
  dateText,
  escapeHtml,
  inUnits,
  NOTHING,
  rateText,
  spreadText,
  timesText,
} from './html-text.ts';
import { pairsSummary, pairTiles } from './pairs/html-summary.ts';
import type { BenchReport, BodyReport, RunReport, SuiteReport } from './report.ts';
import { median } from './spread.ts';

export const SUITE_TITLES: Readonly<Record<SuiteReport['name'], string>> = {
  paper: 'The experiments of Muth et al.',
  inside: 'Point in polyhedron',
};

/** Processes that wanted to run before the benchmark began: more are others'. */
export const BUSY_LOAD = 0.7;

function definitions(entries: readonly (readonly [string, string])[]): string {
  const shown = entries.filter(([, value]) => value !== '');
  return `<dl>${shown.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>`;
}

export function machineSection({ environment, copyBytesPerSecond, date, commands }: BenchReport): string {
  const { adapter, cores, memoryBytes, versions, timestamps, loadBefore } = environment;
  const memory = isPositive(memoryBytes) ? bytesText(memoryBytes) : '';
  const yardstick = isPositive(copyBytesPerSecond.median)
    ? spreadText(copyBytesPerSecond, (rate) => `${bytesText(rate)}/s`)
    : 'did not run';
  return [
    definitions([
      ['Adapter', `${adapterName(adapter)}, ${adapter.software ? 'software' : 'hardware'}`],
      ['Device', [adapter.device, adapter.description].filter((part) => part !== '').join(', ')],
      ['Copy kernel, the yardstick', yardstick],
      ['GPU timestamps', timestamps ? 'yes, beside wall times' : 'no: wall times only'],
      ['Processor', environment.cpu],
      ['Cores', countText(cores)],
      ['Memory', memory],
      ['Host', `${environment.runtime} on ${environment.platform}`],
      ['Load before the run', loadBefore >= 0 ? `${loadBefore} processes` : ''],
      ['Date', dateText(date)],
      [
        'Versions',
        Object.entries(versions)
          .map(([name, version]) => `${name} ${version}`)
          .join(', '),
      ],
    ]),
    '<h3>Run it again</h3>',
    commands.length === 0
      ? '<p class="faint">No command was recorded.</p>'
      : `<pre tabindex="0"><code>${commands.map(escapeHtml).join('\n')}</code></pre>`,
  ].join('\n');
}

/** What changes how the figures are read, and what is missing. */
export function notes(report: BenchReport): string[] {
  const { environment, quick, remarks, suites } = report;
  const runs = suites.flatMap((suite) => runsOf(suite).map(({ run }) => run));
  const count = (status: RunReport['status']) => runs.filter((run) => run.status === status).length;
  const [extrapolated, leftOut] = [count('extrapolated'), count('left-out')];
  const setUps = suites.flatMap(({ bodies }) => bodies.flatMap((body) => body.setUps)).length;
  const wrong = suites.flatMap((suite) =>
    waysOf(suite)
      .filter(({ kind }) => kind === 'scree')
      .flatMap(({ key }) => runsOf(suite).filter(({ run }) => run.way === key && run.wrong > 0)),
  ).length;
  const of = `of ${countText(runs.length)} runs`;
  const lines: (string | false)[] = [
    wrong > 0 && `Flags of scree were wrong in ${countText(wrong)} runs: no figure of these means anything.`,
    quick && 'A quick run: small bodies, few points. It shows that everything runs, not how fast.',
    environment.adapter.software &&
      'The adapter is software: what is called GPU here ran on the processor, beside everything else.',
    environment.loadBefore > BUSY_LOAD &&
      `The machine was busy before the run (load ${environment.loadBefore}): read ratios, not times.`,
    extrapolated > 0 &&
      `${countText(extrapolated)} ${of} were extrapolated from a part of their points: hollow marks, dashed lines, and ≈ before numbers.`,
    leftOut > 0 && `${countText(leftOut)} ${of} were left out; the tables give the reasons.`,
    runs.length + setUps === 0 && report.pairs === undefined && 'This report holds no measurement.',
    ...remarks,
  ];
  return lines.filter((line) => line !== false);
}

interface Ratios {
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

function ratiosOf(values: readonly number[]): Ratios | undefined {
  const sorted = [...values].filter(isPositive).sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  return { least: sorted[0]!, median: median(sorted), most: sorted.at(-1)! };
}

/** Of a way in a suite, over runs that were measured as a whole. */
interface WaySummary {
  readonly key: string;
  readonly label: string;
  readonly kind: 'scree' | 'peer' | 'yardstick';
  readonly runs: number;
  readonly best: number;
  readonly toPeer: Ratios | undefined;
  readonly toCopy: Ratios | undefined;
}

function summarize({ suite }: ShownSuite): WaySummary[] {
  const measured = runsOf(suite)
    .map(({ run }) => run)
    .filter((run) => run.status === 'measured' && hasTime(run));
  return waysOf(suite).flatMap(({ key, label, kind }) => {
    const runs = measured.filter((run) => run.way === key);
    if (runs.length === 0) return [];
    return [
      {
        key,
        label,
        kind,
        runs: runs.length,
        best: Math.max(...runs.map(({ pointsPerSecond }) => pointsPerSecond.median)),
        toPeer: ratiosOf(runs.map(({ ratioToPeer }) => ratioToPeer)),
        toCopy: ratiosOf(runs.map(({ ratioToCopy }) => ratioToCopy)),
      },
    ];
  });
}

export function summarySection(report: BenchReport, suites: readonly ShownSuite[]): string {
  const findings = report.suites.flatMap((suite) => suite.findings);
  const different = findings.filter(({ agrees }) => agrees === 'no');
  const differences =
    different.length === 0
      ? []
      : ['<h3>Where ours differs from the paper</h3>', ...different.map(findingCard)];
  return [tiles(report, suites), ...suites.map(ratiosTable), ...differences, pairsSummary(report)].join('\n');
}

function tile(value: string, meaning: string): string {
  return `<li><b>${escapeHtml(value)}</b><span>${escapeHtml(meaning)}</span></li>`;
}

/** The fastest on the largest body, the way that is farthest ahead of the peer, statements of the paper, checks. */
function tiles(report: BenchReport, suites: readonly ShownSuite[]): string {
  const shown: string[] = [];
  for (const one of suites) {
    const name = SUITE_TITLES[one.suite.name];
    const fastest = fastestOnLargest(one);
    if (fastest !== undefined) {
      const { body, run } = fastest;
      const copy = isPositive(run.ratioToCopy) ? `, ${timesText(run.ratioToCopy)} the copy kernel` : '';
      const asked = `${pointsText(run.points)} ${SET_LABELS[run.set]}`;
      const where = `${name}: fastest on its largest body, ${bodyText(body)}, ${asked}`;
      const rate = `${rateText(run.pointsPerSecond.median)} points/s`;
      shown.push(tile(rate, `${where}, by ${one.label(run.way)}${copy}`));
    }
    const [ahead] = summarize(one)
      .filter(({ kind, toPeer }) => kind === 'scree' && toPeer !== undefined)
      .sort((a, b) => b.toPeer!.median - a.toPeer!.median);
    if (ahead?.toPeer !== undefined) {
      const { median, least, most } = ahead.toPeer;
      const range = `median of ${countText(ahead.runs)} runs, ${timesText(least)} to ${timesText(most)}`;
      shown.push(
        tile(timesText(median), `${name}: the speed of three-mesh-bvh, by ${ahead.label} (${range})`),
      );
    }
  }
  const findings = report.suites.flatMap((suite) => suite.findings);
  if (findings.length > 0) {
    const count = (agrees: string) => findings.filter((finding) => finding.agrees === agrees).length;
    shown.push(
      tile(
        `${countText(count('yes'))} of ${countText(findings.length)}`,
        `statements of the paper agree with what was measured here; differing: ${countText(count('no'))}, not measured: ${countText(count('not measured'))}`,
      ),
    );
  }
  shown.push(...pairTiles(report.pairs).map(([value, meaning]) => tile(value, meaning)));
  const checks = flagChecks(report);
  if (checks.checked > 0)
    shown.push(
      tile(
        countText(checks.checked),
        `flags of scree held against exact ones, ${checks.wrong === 0 ? 'none' : countText(checks.wrong)} wrong${checks.peer}`,
      ),
    );
  if (isPositive(report.copyBytesPerSecond.median))
    shown.push(
      tile(
        `${bytesText(report.copyBytesPerSecond.median)}/s`,
        'read and written by the adapter’s copy kernel alone; “× copy kernel” compares with calls that upload the points, copy them and read back',
      ),
    );
  return shown.length === 0
    ? '<p class="nothing">Nothing was measured.</p>'
    : `<ul class="tiles">${shown.join('')}</ul>`;
}

/** Of runs of scree that were measured as a whole. */
function fastestOnLargest({ suite }: ShownSuite): { body: BodyReport; run: RunReport } | undefined {
  const scree = new Set(waysOf(suite).flatMap(({ key, kind }) => (kind === 'scree' ? [key] : [])));
  const runs = runsOf(suite).filter(
    ({ run }) => run.status === 'measured' && hasTime(run) && scree.has(run.way),
  );
  const largest = Math.max(...runs.map(({ body }) => body.triangles));
  return runs
    .filter(({ body }) => body.triangles === largest)
    .sort((a, b) => b.run.pointsPerSecond.median - a.run.pointsPerSecond.median)[0];
}

function flagChecks({ suites }: BenchReport): { checked: number; wrong: number; peer: string } {
  const sums = { scree: { checked: 0, wrong: 0 }, peer: { checked: 0, wrong: 0 } };
  for (const suite of suites) {
    const kinds = new Map(waysOf(suite).map(({ key, kind }) => [key, kind]));
    for (const { run } of runsOf(suite)) {
      const kind = kinds.get(run.way);
      if (kind === 'yardstick' || kind === undefined) continue;
      sums[kind].checked += run.checked;
      sums[kind].wrong += run.wrong;
    }
  }
  const { scree, peer } = sums;
  const peerText = `; of three-mesh-bvh ${countText(peer.wrong)} of ${countText(peer.checked)}`;
  return { ...scree, peer: peer.checked > 0 ? peerText : '' };
}

function ratiosTable(shown: ShownSuite): string {
  const ways = summarize(shown);
  const compared = (
    [
      ['× three-mesh-bvh', ({ toPeer }: WaySummary) => toPeer],
      ['× copy kernel', ({ toCopy }: WaySummary) => toCopy],
    ] as const
  ).filter(([, ratios]) => ways.some((way) => ratios(way) !== undefined));
  const cells = (ratios: Ratios | undefined): Cell[] =>
    ratios === undefined
      ? [NOTHING, NOTHING, NOTHING]
      : [ratios.median, ratios.least, ratios.most].map((ratio) => inUnits(ratio, 1));
  return table({
    caption: `${SUITE_TITLES[shown.suite.name]}: rates over all bodies and sets of points, runs measured as a whole. A ratio above 1 is faster than what it is compared with, in the same rounds.`,
    columns: [
      { head: 'way', text: true },
      { head: 'runs' },
      { head: 'best', unit: 'million points/s' },
      ...compared.flatMap(([over]) => ['median', 'least', 'most'].map((head) => ({ head, over }))),
    ],
    groups: [
      {
        rows: ways.map((way) => [
          way.label,
          countText(way.runs),
          inUnits(way.best, 1e6),
          ...compared.flatMap(([, ratios]) => cells(ratios(way))),
        ]),
      },
    ],
  });
}

/** How many bodies of what size, and how many points; empty where nothing was run. */
export function suiteExtent({ suite }: ShownSuite): string {
  const sizes = ascending(suite.bodies.map(({ triangles }) => triangles));
  const points = ascending(runsOf(suite).map(({ run }) => run.points));
  if (sizes.length === 0 || points.length === 0) return '';
  const span = (values: readonly number[]) =>
    values.length === 1 ? countText(values[0]!) : `${countText(values[0]!)} to ${countText(values.at(-1)!)}`;
  return `${countText(suite.bodies.length)} bodies of ${span(sizes)} triangles, ${span(points)} points`;
}
