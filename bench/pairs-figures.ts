/** The chart and the section on suite `pairs` of docs/benchmarks.md, from a report of `scree bench`; see scripts/pairs-figures.mjs. */
import { type Look, shortNumber } from '../src/bench/chart.ts';
import { type Bar, barChart, ratioLabel } from '../src/bench/chart-bars.ts';
import { BUSY_LOAD } from '../src/bench/html-summary.ts';
import { isOnGpu } from '../src/bench/pairs/pair-way.ts';
import {
  type PairQuestion,
  type PairRunReport,
  type PairShapeReport,
  type PairsReport,
  runsOf,
} from '../src/bench/pairs/pairs-report.ts';
import type { BenchReport } from '../src/bench/report.ts';
import { median } from '../src/bench/spread.ts';
import { formatBytes, formatCount } from '../src/cli/format.ts';
import { InputError } from '../src/errors.ts';
import { aimsMarkdown } from './pairs-aims.ts';
import {
  type FigureFiles,
  findingsMarkdown,
  headMarkdown,
  machineText,
  tableMarkdown,
  writeFigures,
} from './report-page.ts';

const SECTION = 'pairs';

// After Okabe and Ito, with steps in lightness; the peer is grey.
const SHOWN: readonly (readonly [key: string, look: Look])[] = [
  ['auto-cpu', { color: '#0072b2', marker: 'circle' }],
  ['auto-cpu-1', { color: '#56b4e9', marker: 'square' }],
  ['auto-cpu-coarse', { color: '#009e73', marker: 'pentagon' }],
  ['auto-gpu', { color: '#8a3f73', marker: 'triangle' }],
  ['rapier', { color: '#7a7a7a', marker: 'cross' }],
];
const QUESTIONS: readonly (readonly [PairQuestion, string, string])[] = [
  ['penetration', 'depth', 'of pairs that intersect; others are told apart'],
  ['signed-distance', 'signed distance', 'depth or distance of every pair'],
  ['intersect', 'intersect', 'yes or no'],
];

/**
 * Pairs per second of every shape and question, beside Rapier's.
 *
 * @throws InputError if the report has no suite `pairs` with shapes.
 */
export function pairsChart(report: BenchReport): string {
  const { ways, shapes } = pairsSuite(report);
  const shown = SHOWN.flatMap(([key, look]) => {
    const way = ways.find((one) => one.key === key);
    return way === undefined ? [] : [{ key, look, name: way.label }];
  });
  const bar = (shape: PairShapeReport, key: string, question: PairQuestion): Bar | undefined => {
    const runs = runsOf(shape, key, question);
    if (runs.length === 0) return undefined;
    const rates = runs.map(({ pairsPerSecond }) => pairsPerSecond.median / 1e6);
    const value = median(rates);
    const ratio = median(runs.map(({ ratioToPeer }) => ratioToPeer));
    const label = `${shortNumber(value)}${ratio > 0 ? `  (${ratioLabel(ratio)})` : ''}`;
    return { value, min: Math.min(...rates), max: Math.max(...rates), label };
  };
  const probabilities = shapes[0]!.settings.map(({ probability }) => probability);
  return barChart({
    title: 'Pairs of convex bodies per second',
    notes: [
      `Random pairs, after Olvang; medians over ${probabilities.length} probabilities of an intersection from ${Math.min(...probabilities)} to ${Math.max(...probabilities)}, whiskers from the slowest to the fastest of them.`,
      'Beside each bar: its value, and how many times as fast as Rapier in the same rounds. Rapier has no ellipsoids.',
      `${machineText(report)}, load before ${report.environment.loadBefore}`,
    ],
    unit: 'million pairs per second',
    groups: shapes.map(({ label }) => {
      const [first, ...others] = label.split(' ');
      return { name: first!, note: others.join(' ') };
    }),
    series: shown.map(({ name, look }) => ({ name, look })),
    panels: QUESTIONS.map(([question, title, note]) => ({
      ...{ title, note },
      bars: shapes.map((shape) => shown.map(({ key }) => bar(shape, key, question))),
    })),
  });
}

function pairsSuite({ pairs, suites }: BenchReport): PairsReport {
  if (pairs === undefined) {
    const found = suites.map(({ name }) => name).join(', ') || 'none';
    throw new InputError(`suite ${found} found, expected pairs`);
  }
  if (!pairs.shapes.some(({ settings }) => settings.length > 0)) {
    throw new InputError('suite pairs: no shapes found, expected some');
  }
  return pairs;
}

/** Aims, figures and statements of the thesis, as Markdown. @throws InputError if the report has no suite `pairs`. */
export function pairsMarkdown(report: BenchReport): string {
  const pairs = pairsSuite(report);
  return [
    headMarkdown(report),
    '',
    extentText(pairs) + loadText(report),
    '',
    '**Aimed at and reached**',
    '',
    aimsMarkdown(report, pairs),
    '',
    '**Beside Rapier: depths**',
    '',
    accuracyMarkdown(pairs),
    '',
    '**Left to float64**',
    '',
    redoneMarkdown(pairs),
    '',
    ...growthMarkdown(pairs),
    '**The thesis**',
    '',
    findingsMarkdown('the thesis', pairs.findings),
  ].join('\n');
}

function extentText({ shapes }: PairsReport): string {
  const settings = shapes.flatMap((shape) => shape.settings);
  const all = settings.reduce((sum, { pairs }) => sum + pairs, 0);
  const [{ pairs, runs }] = settings as [PairShapeReport['settings'][number]];
  const timed = Math.min(...runs.map(({ timedPairs }) => timedPairs));
  const proof = (of: 'apart' | 'intersecting' | 'open' | 'depths') =>
    formatCount(settings.reduce((sum, setting) => sum + setting.proof[of], 0));
  return `${formatCount(pairs)} pairs of each combination of shapes at each probability, ${formatCount(all)} in all; timed calls about all of them where ways are held against Rapier, else about the first ${formatCount(timed)}. Of the reference's answers ${proof('apart')} were proven apart by a plane, ${proof('intersecting')} to intersect by a common point, ${proof('open')} neither; ${proof('depths')} depths were confirmed by separating axes.`;
}

/** What others' work does to the ratios: scree takes all threads, the peer one. */
function loadText({ environment: { loadBefore } }: BenchReport): string {
  if (!(loadBefore > BUSY_LOAD)) return '';
  return ` **The machine was busy with other work (load ${loadBefore}): times mean little, and ratios are too low where scree uses all threads, as Rapier has one.**`;
}

function accuracyMarkdown({ shapes }: PairsReport): string {
  const ways = ['auto-cpu', 'auto-cpu-coarse', 'auto-gpu', 'auto-gpu-coarse'] as const;
  const error = (runs: readonly PairRunReport[]) => Math.max(...runs.map(({ error }) => error.worst));
  const rows = shapes.flatMap((shape) => {
    const peer = runsOf(shape, 'rapier', 'penetration');
    if (peer.length === 0) return [];
    return [
      [
        shape.label,
        shortNumber(median(peer.map(({ pairsPerSecond }) => pairsPerSecond.median / 1e3))),
        error(peer).toExponential(1),
        ...ways.flatMap((key) => {
          const runs = runsOf(shape, key, 'penetration');
          if (runs.length === 0) return ['', ''];
          const ratios = runs.map(({ ratioToPeer }) => ratioToPeer);
          return [
            `${shortNumber(median(ratios))} (${shortNumber(Math.min(...ratios))})`,
            error(runs).toExponential(1),
          ];
        }),
      ],
    ];
  });
  const columns = [
    ...['shapes', 'Rapier, thousand/s', 'its worst error'],
    ...['CPU to 2^-20', 'CPU to 2^-10', 'GPU to 2^-20', 'GPU to 2^-10'].flatMap((name) => [
      name,
      'worst error',
    ]),
  ];
  const words =
    "How many times as fast as Rapier, median over probabilities (and least); errors relative to the pair's size. Rapier has no tolerance to choose; scree is asked for its default, 2^-20 of the size, and for 2^-10, the class of what Rapier is off at worst on all shapes but boxes.";
  return `${words}\n\n${tableMarkdown(columns, rows, 1)}`;
}

/** Of 1000 pairs, over all shapes and probabilities. */
function redoneMarkdown({ ways, shapes }: PairsReport): string {
  const questions = ['intersect', 'penetration', 'distance', 'signed-distance'] as const;
  const rows = ways
    .filter(({ kind }) => kind === 'scree')
    .map((way) => [
      way.label,
      ...questions.map((question) => {
        const runs = shapes.flatMap((shape) => runsOf(shape, way.key, question));
        if (runs.length === 0) return '';
        const [left, all] = [
          ({ undecided }: PairRunReport) => undecided,
          ({ checked }: PairRunReport) => checked,
        ].map((value) => runs.reduce((sum, run) => sum + value(run), 0)) as [number, number];
        return shortNumber((1000 * left) / all);
      }),
      isOnGpu(way) ? 'float32' : 'float64',
    ]);
  const words =
    'Pairs of 1000 that an algorithm left to a surer one, on the GPU to float64 on the host, which answered all of them: what the thesis counts as failures.';
  const columns = ['way', 'intersect', 'depth', 'distance', 'signed distance', 'in'];
  return `${words}\n\n${tableMarkdown(columns, rows, 1)}`;
}

function growthMarkdown({ growth = [], ways, shapes }: PairsReport): string[] {
  if (growth.length === 0) return [];
  const rows = growth.map((one) => [
    shapes.find(({ name }) => name === one.shape)?.label ?? one.shape,
    ways.find(({ key }) => key === one.way)?.label ?? one.way,
    formatCount(one.pairs),
    shortNumber((1e6 * one.seconds.median) / one.pairs),
    ...(['upload', 'kernel', 'readback', 'redo'] as const).map((part) =>
      shortNumber((1e6 * one.parts[part]) / one.pairs),
    ),
    formatBytes(one.hostBytes),
    one.gpuBytes === 0 ? '' : formatBytes(one.gpuBytes),
  ]);
  const columns = [
    ...[
      'shapes',
      'way',
      'pairs',
      'us/pair',
      'upload',
      'kernels',
      'readback',
      'redone',
      'arrays',
      'GPU memory',
    ],
  ];
  return ['**Growth with the number of pairs: depths**', '', tableMarkdown(columns, rows, 2), ''];
}

/** @throws InputError for what is no report of suite `pairs`, or a page without marks; ScreeError if a file cannot be written. */
export function writePairsFigures(files: FigureFiles): void {
  writeFigures(files, SECTION, pairsChart, pairsMarkdown);
}
