/** Tables over all probabilities: both number formats beside each other, and what times are made of. */
import { type Cell, table } from '../html-parts.ts';
import { inUnits, NOTHING, numberText } from '../html-text.ts';
import { titleOf } from './html-plots.ts';
import { secondsPerPair } from './measure.ts';
import {
  PAIR_QUESTIONS,
  type PairParts,
  type PairQuestion,
  type PairRunReport,
  type PairsReport,
  runsOf,
} from './pairs-report.ts';
import { QUESTION_LABELS } from './question-labels.ts';

const MICROSECOND = 1e-6;
const PART_NAMES: readonly (readonly [keyof PairParts, string])[] = [
  ['upload', 'upload'],
  ['kernel', 'kernels; on the CPU the answering'],
  ['readback', 'readback'],
  ['redo', 'redone in float64'],
];

const meanOf = (runs: readonly PairRunReport[], value: (run: PairRunReport) => number) =>
  runs.reduce((sum, run) => sum + value(run), 0) / runs.length;

/** The thesis' comparison of double and single precision, as numbers. */
export function precisionTable({ ways, shapes }: PairsReport): string {
  const own = ways.filter(({ kind }) => kind === 'scree');
  const columns = [
    'calls, mean',
    'highest',
    'redone, of 1000',
    'sides unlike GJK',
    'worst error, 10⁻⁶',
    'µs per pair',
  ];
  const cells = (runs: readonly PairRunReport[], question: PairQuestion): Cell[] => {
    if (runs.length === 0) return columns.map(() => NOTHING);
    const sum = (value: (run: PairRunReport) => number) => runs.reduce((all, run) => all + value(run), 0);
    return [
      inUnits(
        meanOf(runs, ({ calls }) => calls.mean),
        1,
      ),
      inUnits(
        meanOf(runs, ({ calls }) => calls.highest),
        1,
      ),
      numberText((1000 * sum(({ undecided }) => undecided)) / sum(({ checked }) => checked)),
      numberText(sum(({ disagreeing }) => disagreeing)),
      question === 'intersect'
        ? NOTHING
        : numberText(1e6 * Math.max(...runs.map(({ error }) => error.worst))),
      inUnits(meanOf(runs, secondsPerPair), MICROSECOND),
    ];
  };
  return table({
    caption:
      'Means over all probabilities, the most of errors, and counts: float64 on the CPU beside float32 on the GPU. Redone are pairs that the algorithm left to a surer one, float32 to float64: the thesis counts them as failures.',
    columns: [
      { head: 'question', text: true },
      { head: 'algorithm', text: true },
      ...['float64', 'float32'].flatMap((over) => columns.map((head) => ({ head, over }))),
    ],
    groups: shapes.map((shape) => ({
      name: titleOf(shape),
      rows: PAIR_QUESTIONS.flatMap((question) =>
        own
          .filter(({ key }) => key.endsWith('-cpu'))
          .flatMap(({ key, label }): Cell[][] => {
            const double = runsOf(shape, key, question);
            const single = runsOf(shape, key.replace(/-cpu$/, '-gpu'), question);
            if (double.length === 0) return [];
            const name = label.replace(/, CPU$/, '');
            return [
              [QUESTION_LABELS[question], name, ...cells(double, question), ...cells(single, question)],
            ];
          }),
      ),
    })),
  });
}

/** Where the time of a call goes. */
export function partsTable({ ways, shapes }: PairsReport): string {
  return table({
    caption:
      'Microseconds per pair, means over all probabilities of the median calls. The rest is checks of the arrays and copies.',
    columns: [
      { head: 'way', text: true },
      { head: 'question', text: true },
      ...PART_NAMES.map(([, head]) => ({ head })),
      { head: 'rest' },
      { head: 'all' },
    ],
    groups: shapes.map((shape) => ({
      name: titleOf(shape),
      rows: ways.flatMap(({ key, label }) =>
        PAIR_QUESTIONS.flatMap((question): Cell[][] => {
          const runs = runsOf(shape, key, question).filter(({ parts }) => parts !== undefined);
          if (runs.length === 0) return [];
          const parts = PART_NAMES.map(([name]) =>
            meanOf(runs, (run) => run.parts![name] / Math.max(1, run.timedPairs)),
          );
          const all = meanOf(runs, secondsPerPair);
          const rest = Math.max(0, all - parts.reduce((sum, part) => sum + part, 0));
          const cell = (seconds: number) => numberText(seconds / MICROSECOND);
          return [[label, QUESTION_LABELS[question], ...parts.map(cell), cell(rest), cell(all)]];
        }),
      ),
    })),
  });
}
