/** Suite `pairs`: its charts and tables. */
import { highestCallsOf, meanCallsOf, pairSeconds } from '../pairs/statements.ts';
import {
  labelsOf,
  PAIR_QUESTIONS,
  type PairQuestion,
  type PairRunReport,
  type PairShapeReport,
  type PairsReport,
  type PairWayReport,
  pairRunsOf,
  QUESTION_LABELS,
} from '../report.ts';
import { median } from '../spread.ts';
import { bytesText, capitalized, countText, inUnits, NOTHING, numberText, secondsText, timesText } from '../text.ts';
import { type Cell, chart, details, foldedTable, paragraph, wrongCell } from './parts.ts';
import type { Shown } from './points.ts';
import type { Axis, ChartPanel, ChartPoint } from './spec.ts';
import { seriesOf } from './style.ts';

const MICRO = 1e-6;
const PARTS = ['upload', 'kernel', 'readback', 'redo'] as const;
const ALGORITHMS = ['gjk', 'mpr', 'mpr-olvang', 'gjk-johnson', 'sweep-gjk'];

/** What is timed of Rapier and what of scree, question by question. */
const RAPIER_CALLS: readonly (readonly [PairQuestion, string])[] = [
  ['intersect', 'Collider.contactCollider with prediction 0, or Collider.intersectsShape where that is faster.'],
  ['penetration', 'Collider.contactCollider with prediction 0: depth of pairs that overlap, null for others.'],
  ['signed-distance', 'Collider.contactCollider with a prediction that reaches every pair: depth or distance.'],
];

export interface PeerRatio {
  readonly shape: PairShapeReport;
  readonly question: PairQuestion;
  readonly way: string;
  readonly label: string;
  readonly least: number;
  readonly middle: number;
  readonly most: number;
}

/** Of every way that the peer was timed beside, over all probabilities. */
export function peerRatios({ ways, shapes }: PairsReport): PeerRatio[] {
  return shapes.flatMap((shape) =>
    PAIR_QUESTIONS.flatMap((question) =>
      ways.flatMap(({ key, label }) => {
        const found = pairRunsOf(shape, key, question)
          .map(({ ratioToPeer }) => ratioToPeer)
          .filter((ratio) => ratio > 0);
        if (found.length === 0) return [];
        const [least, middle, most] = [Math.min(...found), median(found), Math.max(...found)];
        return [{ shape, question, way: key, label, least, middle, most }];
      }),
    ),
  );
}

export const showPairs = (pairs: PairsReport): Shown => ({
  charts: [ratioChart(pairs), ...figures(pairs), growthChart(pairs)],
  tables: tables(pairs),
  notes: rapierNotes(pairs),
});

/** Of the ways that Rapier is compared with: one thread first, as it has one. */
function ratioChart(pairs: PairsReport): string {
  const ratios = peerRatios(pairs).filter(({ way }) => way.startsWith('auto'));
  const keys = ['auto-cpu-1', 'auto-cpu', 'auto-gpu', 'auto-cpu-coarse', 'auto-gpu-coarse'];
  const panels = (['penetration', 'intersect', 'signed-distance'] as const).map(
    (question): ChartPanel => ({
      title: capitalized(QUESTION_LABELS[question]),
      points: ratios
        .filter((one) => one.question === question && keys.includes(one.way))
        .map(({ shape, way, label, least, middle, most }): ChartPoint => {
          const range = `${timesText(least)} to ${timesText(most)} over probabilities`;
          const tip = `${label}\n${shape.label}\n${timesText(middle)} as fast as Rapier\n${range}`;
          return { series: keys.indexOf(way), y: shape.label, x: middle, low: least, high: most, tip };
        }),
    }),
  );
  return chart(
    {
      kind: 'rows',
      x: { label: '× Rapier', unit: 'times' },
      reference: { at: 1, name: 'Rapier' },
      ...{ series: seriesOf(pairs.ways, keys), panels },
    },
    'Rates over Rapier’s on one thread: medians, least, most, logarithmic. Right of the line, scree is faster.',
  );
}

function rapierNotes(pairs: PairsReport): string {
  if (!pairs.ways.some(({ key }) => key === 'rapier')) return '';
  return details(
    'What Rapier’s calls do, and what is timed',
    ...RAPIER_CALLS.map(([question, call]) => paragraph(`${capitalized(QUESTION_LABELS[question])}: ${call}`)),
    paragraph('Rapier: float32, WebAssembly, one thread, pair by pair. Placing its colliders is not timed.'),
    paragraph('scree: from arrays of poses to arrays of answers with bounds. Placing its bodies is timed.'),
    paragraph('Ways "to 2^-10" ask for about the accuracy that Rapier’s depths have.'),
  );
}

/** A panel for each combination of shapes, a line for each algorithm in float64, over probabilities. */
function overProbabilities(
  pairs: PairsReport,
  question: PairQuestion,
  y: Axis,
  value: (run: PairRunReport) => number,
  caption: string,
): string {
  const isShown = ({ algorithm, precision, key }: PairWayReport) =>
    ALGORITHMS.includes(algorithm) && precision === 'float64' && !/-1$|coarse/.test(key);
  const keys = pairs.ways.filter(isShown).map(({ key }) => key);
  const series = seriesOf(pairs.ways, keys);
  return chart(
    {
      kind: 'lines',
      ...{ x: { label: 'probability of an intersection', unit: 'number', linear: true }, y, series },
      panels: pairs.shapes.map(({ label, settings }) => ({
        title: capitalized(label),
        points: settings.flatMap(({ probability, runs }) =>
          runs.flatMap((run): ChartPoint[] => {
            const own = keys.indexOf(run.way);
            const found = value(run);
            if (run.question !== question || own < 0 || !(found > 0)) return [];
            const text = y.unit === 'seconds' ? secondsText(found) : numberText(found);
            const tip = `${series[own]!.name}\nprobability ${probability}\n${text}`;
            return [{ series: own, x: probability, y: found, tip }];
          }),
        ),
      })),
    },
    caption,
  );
}

/** Figures of the thesis by number, question, and what they show: their captions. */
const FIGURES = [
  [6, 'intersect', 'calls', 'calls of intersection tests: means'],
  [7, 'intersect', 'highest', 'calls of intersection tests: the highest thousandth'],
  [8, 'intersect', 'time', 'time of intersection tests: medians per pair'],
  [9, 'penetration', 'calls', 'calls of depths: means'],
  [10, 'penetration', 'highest', 'calls of depths: the highest thousandth'],
  [12, 'penetration', 'time', 'time of depths: medians per pair'],
  [14, 'distance', 'calls', 'calls of distances: means'],
  [15, 'distance', 'highest', 'calls of distances: the highest thousandth'],
  [16, 'distance', 'time', 'time of distances: medians per pair'],
] as const;
const CALLS: Axis = { label: 'support calls', unit: 'number', linear: true };
const SHOWN = {
  calls: [CALLS, meanCallsOf],
  highest: [CALLS, highestCallsOf],
  time: [{ label: 'time per pair', unit: 'seconds', linear: true }, pairSeconds],
} as const satisfies Record<string, readonly [Axis, (run: PairRunReport) => number]>;

const figures = (pairs: PairsReport): string[] => [
  ...FIGURES.map(([number, question, what, caption]) =>
    overProbabilities(pairs, question, SHOWN[what][0], SHOWN[what][1], `Figure ${number} of the thesis, ${caption}.`),
  ),
  overProbabilities(
    pairs,
    'penetration',
    { label: 'share', unit: 'percent', linear: true },
    ({ within }) => 100 * within,
    'Accuracy of depths: share of the intersecting pairs whose depth is within a hundredth of the exact one.',
  ),
];

function growthChart({ growth = [], ways, shapes }: PairsReport): string {
  const keys = [...new Set(growth.map(({ way }) => way))];
  const series = seriesOf(ways, keys);
  return chart(
    {
      kind: 'lines',
      ...{ x: { label: 'pairs of a call', unit: 'count' }, y: { label: 'time per pair', unit: 'seconds' }, series },
      panels: shapes.map(({ name, label }) => ({
        title: capitalized(label),
        points: growth
          .filter(({ shape }) => shape === name)
          .map(({ way, pairs, seconds }): ChartPoint => {
            const [y, low, high] = [seconds.median, seconds.min, seconds.max].map((one) => one / Math.max(1, pairs));
            const own = keys.indexOf(way);
            const tip = `${series[own]!.name}\n${countText(pairs)} pairs\n${secondsText(y!)} per pair`;
            return { series: own, x: pairs, y: y!, low: low!, high: high!, tip };
          }),
      })),
    },
    'Growth with the number of pairs: time of a depth per pair, medians with least and most, logarithmic.',
  );
}

function tables(pairs: PairsReport): string[] {
  const { ways, shapes, growth = [] } = pairs;
  const label = labelsOf(ways);
  const isPeer = (key: string) => ways.find((way) => way.key === key)?.kind === 'peer';
  const named = (rows: (shape: PairShapeReport) => readonly (readonly Cell[])[]) =>
    shapes.map((shape) => ({ name: `${capitalized(shape.label)}: ${shape.sizes}`, rows: rows(shape) }));
  const each = (seconds: number, run: PairRunReport) => seconds / Math.max(1, run.timedPairs);
  return [
    foldedTable(
      'Calls, errors, times: means over all probabilities',
      'Errors per pair’s size (MPR: how much too deep). Left: pairs that an algorithm left to a surer one.',
      {
        columns: [
          ...['@question', '@way', 'calls|mean', 'calls|highest', 'left', 'disagree', 'wrong'],
          ...['worst error|of the size', 'mean error|of the size', 'within 1 %|% of depths', 'time|µs per pair'],
          ...['kernels|µs per pair', 'redone|µs per pair', 'GPU timestamps|µs', '× Rapier'],
        ],
        groups: named((shape) =>
          PAIR_QUESTIONS.flatMap((question) =>
            ways.flatMap(({ key }) => {
              const runs = pairRunsOf(shape, key, question);
              if (runs.length === 0) return [];
              const sum = (value: (run: PairRunReport) => number) => runs.reduce((total, run) => total + value(run), 0);
              const mean = (value: (run: PairRunReport) => number) => sum(value) / runs.length;
              const micro = (value: (run: PairRunReport) => number) =>
                inUnits(mean((run) => each(value(run), run)) / MICRO, 1);
              const isDepth = question === 'penetration' || question === 'signed-distance';
              const worst = Math.max(...runs.map(({ error }) => error.worst));
              const errors = [worst, mean(({ error }) => error.mean)].map(numberText);
              const counts = [sum((run) => run.undecided), sum((run) => run.disagreeing)].map(countText);
              return [
                [
                  ...[QUESTION_LABELS[question], label(key)],
                  ...[inUnits(mean(meanCallsOf), 1), inUnits(mean(highestCallsOf), 1)],
                  ...(isPeer(key) ? [NOTHING, NOTHING] : counts),
                  wrongCell(sum((run) => run.wrong)),
                  ...(question === 'intersect' ? [NOTHING, NOTHING] : errors),
                  isDepth ? numberText(100 * mean(({ within }) => within)) : NOTHING,
                  ...[micro(({ seconds }) => seconds.median), micro(({ parts }) => parts?.kernel ?? 0)],
                  ...[micro(({ parts }) => parts?.redo ?? 0), micro(({ gpu }) => gpu?.median ?? 0)],
                  inUnits(median(runs.map(({ ratioToPeer }) => ratioToPeer)), 1),
                ],
              ];
            }),
          ),
        ),
      },
    ),
    ...shapes.map((shape) =>
      foldedTable(`${capitalized(shape.label)}: times at every probability`, 'Microseconds per pair of a timed call.', {
        columns: ['@question', '@way', 'timed pairs', 'median|µs', 'least|µs', 'most|µs', '× Rapier'],
        groups: shape.settings.map(({ probability, intersecting, pairs: count, runs }) => ({
          name: `Probability ${probability}: ${numberText(100 * intersecting)} % of ${countText(count)} intersect`,
          rows: runs.map((run) => {
            const { median: middle, min, max } = run.seconds;
            const times = [middle, min, max].map((seconds) => inUnits(each(seconds, run), MICRO));
            const what = [QUESTION_LABELS[run.question], label(run.way), countText(run.timedPairs)];
            return [...what, ...times, inUnits(run.ratioToPeer, 1)];
          }),
        })),
      }),
    ),
    foldedTable('Growing numbers of pairs', 'Depths; bytes are those of the host’s arrays and of the GPU.', {
      columns: ['@way', 'pairs', 'a call', ...['all', ...PARTS].map((head) => `${head}|µs per pair`), 'host', 'GPU'],
      groups: named(({ name }) =>
        growth
          .filter(({ shape }) => shape === name)
          .map(({ way, pairs: count, seconds, parts, hostBytes, gpuBytes }) => [
            ...[label(way), countText(count), secondsText(seconds.median)],
            ...[seconds.median, ...PARTS.map((part) => parts[part])].map((one) =>
              inUnits(one / Math.max(1, count), MICRO),
            ),
            ...[bytesText(hostBytes), gpuBytes === 0 ? NOTHING : bytesText(gpuBytes)],
          ]),
      ),
    }),
    foldedTable(
      'Configurations, and what proves the reference',
      'Pairs proven apart by a plane, to intersect by a common point, neither; depths that separating axes confirm.',
      {
        columns: [
          ...['probability', 'cube side', 'pairs', 'mean depth', 'mean distance'],
          ...['apart', 'intersecting', 'open', 'depths'],
        ],
        groups: named(({ settings }) =>
          settings.map(({ probability, cubeSide, pairs: count, meanDepth, meanDistance, proof }) => [
            ...[String(probability), numberText(cubeSide), countText(count)],
            ...[meanDepth, meanDistance].map(numberText),
            ...[proof.apart, proof.intersecting, proof.open, proof.depths].map(countText),
          ]),
        ),
      },
    ),
  ];
}
