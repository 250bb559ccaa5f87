/** Suite `pairs` of `scree bench` as text for a terminal. */
import type {
  PairQuestion,
  PairRunReport,
  PairShapeReport,
  PairsReport,
} from '../bench/pairs/pairs-report.ts';
import { formatCount, formatTable } from './format.ts';

const QUESTIONS: Readonly<Record<PairQuestion, string>> = {
  intersect: 'intersect',
  penetration: 'depth',
  distance: 'distance',
  'signed-distance': 'signed distance',
};

/** Ways and questions over all probabilities: a table for each combination of shapes would be too long for a terminal. */
export function pairsTable({ ways, shapes }: PairsReport): string {
  const hasPeer = ways.some(({ kind }) => kind === 'peer');
  const rows = shapes.flatMap((shape) =>
    Object.entries(QUESTIONS).flatMap(([question, name]) =>
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
            ...[shape.label, name, label],
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

function runsOf({ settings }: PairShapeReport, way: string, question: string): PairRunReport[] {
  return settings.flatMap(({ runs }) => runs.filter((run) => run.way === way && run.question === question));
}

const short = (value: number) => `${Number(value.toPrecision(3))}`;
