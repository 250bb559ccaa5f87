/** Suite `pairs` of `scree bench` as text for a terminal. */
import { PAIR_QUESTIONS, type PairRunReport, type PairsReport, runsOf } from '../bench/pairs/pairs-report.ts';
import { QUESTION_LABELS } from '../bench/pairs/question-labels.ts';
import { formatBytes, formatCount, formatTable } from './format.ts';

/** Ways and questions over all probabilities: a table for each combination of shapes would be too long for a terminal. */
export function pairsTable({ ways, shapes }: PairsReport): string {
  const hasPeer = ways.some(({ kind }) => kind === 'peer');
  const rows = shapes.flatMap((shape) =>
    PAIR_QUESTIONS.flatMap((question) =>
      ways.flatMap(({ key, label, kind }) => {
        const runs = runsOf(shape, key, question);
        if (runs.length === 0) return [];
        const mean = (value: (run: PairRunReport) => number) =>
          runs.reduce((sum, run) => sum + value(run), 0) / runs.length;
        const sum = (value: (run: PairRunReport) => number) => formatCount(mean(value) * runs.length);
        const ratios = runs.map(({ ratioToPeer }) => ratioToPeer).sort((a, b) => a - b);
        const middle = ratios[ratios.length >> 1]!;
        const told = kind !== 'peer';
        return [
          [
            ...[shape.label, QUESTION_LABELS[question], label],
            told ? short(mean(({ calls }) => calls.mean)) : '',
            told ? short(mean(({ calls }) => calls.highest)) : '',
            told ? sum(({ undecided }) => undecided) : '',
            sum(({ wrong }) => wrong),
            short(1e6 * mean(({ seconds, timedPairs }) => seconds.median / timedPairs)),
            ...(hasPeer ? [middle > 0 ? short(middle) : '', ratios[0]! > 0 ? short(ratios[0]!) : ''] : []),
          ],
        ];
      }),
    ),
  );
  const columns = [
    ...['shapes', 'question', 'way', 'calls', 'highest', 'redone', 'wrong', 'us/pair'],
    ...(hasPeer ? ['x Rapier', 'least'] : []),
  ];
  const right = columns.map((_, k) => k).filter((k) => k > 2);
  const named = rows.map((row, i) => [row[0] === rows[i - 1]?.[0] ? '' : row[0]!, ...row.slice(1)]);
  const peer = hasPeer ? ', and how many times as fast as Rapier (median and least over probabilities)' : '';
  return `Means over all probabilities: support calls per pair, those of the highest thousandth, pairs redone by a surer algorithm, wrong ones, time${peer}\n${formatTable([columns, ...named], right)}`;
}

/** Time and memory by numbers of pairs; empty where that was not measured. */
export function growthTable({ ways, shapes, growth = [] }: PairsReport): string {
  if (growth.length === 0) return '';
  const rows = growth.map(({ shape, way, pairs, seconds, hostBytes, gpuBytes }) => [
    shapes.find(({ name }) => name === shape)?.label ?? shape,
    ways.find(({ key }) => key === way)?.label ?? way,
    formatCount(pairs),
    short((1e6 * seconds.median) / Math.max(1, pairs)),
    formatBytes(hostBytes),
    gpuBytes === 0 ? '' : formatBytes(gpuBytes),
  ]);
  const columns = ['shapes', 'way', 'pairs', 'us/pair', 'arrays', 'GPU memory'];
  return `Growth with the number of pairs (depths)\n${formatTable([columns, ...rows], [2, 3, 4, 5])}`;
}

const short = (value: number) => `${Number(value.toPrecision(3))}`;
