/** All figures of a suite in tables: nothing that was measured is in charts alone. */
import {
  hasTime,
  isPositive,
  mainRuns,
  runsOf,
  SET_LABELS,
  type ShownSuite,
  trianglesText,
  waysOf,
} from './html-model.ts';
import { type Cell, type Column, details, paragraph, table } from './html-parts.ts';
import { countText, inUnits, NOTHING, secondsText } from './html-text.ts';
import type { BodyReport, RunReport, SetUpReport, Spread } from './report.ts';

const MILLION = 1e6;
const KILOBYTE = 1e3;
const MILLISECOND = 1e-3;

/** One table of each kind, closed; empty where the suite holds nothing of it. */
export function suiteTables(shown: ShownSuite): string[] {
  const { bodies } = shown.suite;
  const setUps = bodies.reduce((sum, body) => sum + body.setUps.length, 0);
  const runs = runsOf(shown.suite).length;
  if (setUps + runs === 0) return [];
  return [
    '<h3>All figures</h3>',
    details(`Times and rates of all ${countText(runs)} runs`, ratesTable(shown)),
    details('Parts of the times: upload, kernel, readback, exact predicates', partsTable(shown)),
    details('What was chosen, checked and left out', checksTable(shown)),
    details(`Set-up times and memory: ${countText(setUps)} set-ups`, setUpsTable(shown)),
  ];
}

const RUN_COLUMNS: readonly Column[] = [
  { head: 'way', text: true },
  { head: 'set', text: true },
  { head: 'points' },
];

function spreadColumns(over: string): Column[] {
  return [
    { head: 'median', over },
    { head: 'least', over },
    { head: 'most', over },
  ];
}

const spreadCells = ({ median, min, max }: Spread, unit: number) =>
  [median, min, max].map((value) => inUnits(value, unit));

function bodyName(body: BodyReport): string {
  return `${body.name}: ${trianglesText(body)}, ${countText(body.vertices)} vertices`;
}

/** A row for each run, under the names of bodies, in the order of ways. */
function runsTable(
  { suite, label }: ShownSuite,
  caption: string,
  columns: readonly Column[],
  cells: (run: RunReport) => readonly Cell[],
): string {
  const order = waysOf(suite).map(({ key }) => key);
  const sorted = (runs: readonly RunReport[]) =>
    [...runs].sort((a, b) => order.indexOf(a.way) - order.indexOf(b.way));
  return table({
    caption,
    columns: [...RUN_COLUMNS, ...columns],
    groups: suite.bodies.map((body) => ({
      name: bodyName(body),
      rows: sorted(body.runs).map((run) => [label(run.way), run.set, countText(run.points), ...cells(run)]),
    })),
  });
}

/** Cells of a run without figures: faint, with the reason where one points. */
function faintCells({ reason }: RunReport, count: number): Cell[] {
  return Array.from({ length: count }, () => ({ text: NOTHING, look: 'faint', title: reason }));
}

function statusCell({ status, measuredPoints, reason }: RunReport): Cell {
  switch (status) {
    case 'measured':
      return status;
    case 'extrapolated':
      return {
        text: `≈ extrapolated from ${countText(measuredPoints)}`,
        look: 'extrapolated',
        title: reason,
      };
    case 'left-out':
      return { text: 'left out', look: 'faint', title: reason };
  }
}

/** Numbers of an extrapolated run carry a mark each, so that none is read for a measured one. */
function marked({ status, reason }: RunReport, cells: readonly string[]): Cell[] {
  if (status !== 'extrapolated') return [...cells];
  return cells.map((text) =>
    text === NOTHING ? text : { text: `≈${text}`, look: 'extrapolated', title: reason },
  );
}

function ratesTable(shown: ShownSuite): string {
  const columns: Column[] = [
    { head: 'status', text: true },
    ...spreadColumns('whole call, ms'),
    { head: 'runs' },
    ...spreadColumns('millions of points per second'),
    { head: '× three-mesh-bvh' },
    { head: '× copy kernel' },
  ];
  const sets = Object.entries(SET_LABELS).map(([key, name]) => `${key}: ${name}`);
  const caption = `Whole calls, from the points to the flags; ≈: scaled up from fewer points. ${sets.join('; ')}.`;
  return runsTable(shown, caption, columns, (run) => {
    const { seconds, pointsPerSecond, ratioToPeer, ratioToCopy } = run;
    if (!hasTime(run)) return [statusCell(run), ...faintCells(run, columns.length - 1)];
    return [
      statusCell(run),
      ...marked(run, spreadCells(seconds.total, MILLISECOND)),
      countText(seconds.total.runs),
      ...marked(run, spreadCells(pointsPerSecond, MILLION)),
      ...marked(run, [inUnits(ratioToPeer, 1), inUnits(ratioToCopy, 1)]),
    ];
  });
}

function partsTable(shown: ShownSuite): string {
  const stamped = runsOf(shown.suite).some(({ run }) => run.seconds.gpu !== undefined);
  const parts = ['upload', 'kernel', 'readback', 'exact', ...(stamped ? (['gpu'] as const) : [])] as const;
  const names = {
    upload: 'upload, ms',
    kernel: 'kernel, ms',
    readback: 'readback, ms',
    exact: 'exact predicates, ms',
    gpu: 'kernels by GPU timestamps, ms',
  };
  const columns = parts.flatMap((part) => spreadColumns(names[part]));
  const caption = `Parts of a call by wall time; a part of 0 is shown as ${NOTHING}; on the CPU, kernel is the test itself.`;
  return runsTable(shown, caption, columns, (run) =>
    hasTime(run)
      ? parts.flatMap((part) => {
          const spread = run.seconds[part];
          return spread === undefined
            ? [NOTHING, NOTHING, NOTHING]
            : marked(run, spreadCells(spread, MILLISECOND));
        })
      : faintCells(run, columns.length),
  );
}

function checksTable(shown: ShownSuite): string {
  const columns: Column[] = [
    { head: 'flags checked' },
    { head: 'wrong' },
    { head: 'settled exactly' },
    { head: 'GPU memory', unit: 'kB' },
    { head: 'chosen', text: true },
    { head: 'why not all points', text: true },
  ];
  const caption = 'Flags held against exact ones, points settled by exact predicates, method and backend.';
  return runsTable(shown, caption, columns, (run) => {
    const wrong: Cell = run.wrong > 0 ? { text: countText(run.wrong), look: 'alert' } : countText(run.wrong);
    const counts: Cell[] = hasTime(run)
      ? [countText(run.checked), wrong, countText(run.resolvedExactly), inUnits(run.gpuBytes, KILOBYTE)]
      : faintCells(run, 4);
    return [...counts, run.chosen || NOTHING, run.reason];
  });
}

function setUpsTable({ suite, label }: ShownSuite): string {
  return table({
    caption: 'Set-up, until points can be asked; parts: median, least to most.',
    columns: [
      { head: 'way', text: true },
      { head: 'for points' },
      ...spreadColumns('set-up, ms'),
      { head: 'runs' },
      { head: 'tables', unit: 'kB' },
      { head: 'GPU', unit: 'kB' },
      { head: 'parts', text: true },
      { head: 'figures', text: true },
    ],
    groups: suite.bodies.map((body) => ({
      name: bodyName(body),
      rows: body.setUps.map((setUp) => [
        label(setUp.way),
        setUp.points === 0 ? 'any' : countText(setUp.points),
        ...spreadCells(setUp.total, MILLISECOND),
        countText(setUp.total.runs),
        inUnits(setUp.tableBytes, KILOBYTE),
        inUnits(setUp.gpuBytes, KILOBYTE),
        partsText(setUp),
        figuresText(setUp),
      ]),
    })),
  });
}

function partsText({ parts }: SetUpReport): string {
  const shown = Object.entries(parts).filter(([, { median }]) => median > 0);
  return shown
    .map(
      ([name, { median, min, max }]) =>
        `${name} ${secondsText(median)} (${secondsText(min)} to ${secondsText(max)})`,
    )
    .join(', ');
}

function figuresText({ figures }: SetUpReport): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${Number.isInteger(value) ? countText(value) : inUnits(value, 1)}`)
    .join(', ');
}

/** Kernels by both clocks, of the runs that the charts of shares show. */
export function timestampsTable(shown: ShownSuite): string {
  const rows = mainRuns(shown).flatMap(({ body, way, run }) => {
    const { kernel, gpu } = run.seconds;
    if (gpu === undefined || !isPositive(gpu.median)) return [];
    const share = isPositive(kernel.median) ? `${Math.round((100 * gpu.median) / kernel.median)}` : NOTHING;
    const times = [inUnits(kernel.median, 1e-3), inUnits(gpu.median, 1e-3)];
    const cells = [...times, share, inUnits(run.points / gpu.median, 1e6)];
    return [[body.name, way.label, countText(run.points), ...cells]];
  });
  if (rows.length === 0) {
    return paragraph('No GPU timestamps in this suite: kernel times are wall times of the host.', 'faint');
  }
  const content = table({
    caption: 'Kernels by wall time and by GPU timestamps, medians',
    columns: [
      { head: 'body', text: true },
      { head: 'way', text: true },
      { head: 'points' },
      { head: 'wall', unit: 'ms' },
      { head: 'timestamps', unit: 'ms' },
      { head: 'of the wall time', unit: '%' },
      { head: 'points/s by timestamps', unit: 'millions' },
    ],
    groups: [{ rows }],
  });
  return `<h4>Kernels by GPU timestamps</h4>\n${content}`;
}
