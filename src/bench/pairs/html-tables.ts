/** Suite `pairs` in tables: nothing that was measured is in charts alone. */
import { type Cell, details, table } from '../html-parts.ts';
import { countText, inUnits, NOTHING, numberText } from '../html-text.ts';
import { percent, titleOf } from './html-plots.ts';
import { partsTable, precisionTable } from './html-tables-mean.ts';
import type { PairShapeReport, PairsReport } from './pairs-report.ts';
import { QUESTION_LABELS } from './question-labels.ts';

const MICROSECOND = 1e-6;
export function pairTables(pairs: PairsReport): string[] {
  const runs = pairs.shapes.flatMap(({ settings }) => settings.flatMap((setting) => setting.runs));
  if (runs.length === 0) return [];
  return [
    '<h3>All figures of pairs</h3>',
    details('Single beside double precision: calls, failures, disagreements, times', precisionTable(pairs)),
    details('Parts of the times: upload, kernels, readback, redone in float64', partsTable(pairs)),
    details('Configurations and what proves the reference', settingsTable(pairs)),
    ...pairs.shapes.map((shape) =>
      details(`${titleOf(shape)}: calls, errors, times`, runsTable(pairs, shape)),
    ),
  ];
}

function settingsTable({ shapes }: PairsReport): string {
  return table({
    caption:
      'Pairs proven apart by a plane between them, pairs proven to intersect by a point in both, pairs of neither proof, and depths confirmed by separating axes.',
    columns: [
      { head: 'probability' },
      { head: 'intersecting', unit: '%' },
      { head: 'cube side' },
      { head: 'pairs' },
      { head: 'mean depth' },
      { head: 'mean distance' },
      ...['apart', 'intersecting', 'open', 'depths'].map((head) => ({ head, over: 'proven' })),
    ],
    groups: shapes.map((shape) => ({
      name: titleOf(shape),
      rows: shape.settings.map((setting) => [
        numberText(setting.probability),
        numberText(100 * setting.intersecting),
        numberText(setting.cubeSide),
        countText(setting.pairs),
        numberText(setting.meanDepth),
        numberText(setting.meanDistance),
        ...[setting.proof.apart, setting.proof.intersecting, setting.proof.open, setting.proof.depths].map(
          countText,
        ),
      ]),
    })),
  });
}

function runsTable({ ways }: PairsReport, shape: PairShapeReport): string {
  const label = (key: string) => ways.find((way) => way.key === key)?.label ?? key;
  const kind = (key: string) => ways.find((way) => way.key === key)?.kind;
  const hasGpu = shape.settings.some(({ runs }) => runs.some(({ gpu }) => gpu !== undefined));
  return table({
    caption:
      'Errors relative to a pair’s size; of MPR, what its depths are too large by. Depths within a hundredth of the exact one in percent of the pairs that intersect.',
    columns: [
      { head: 'way', text: true },
      { head: 'question', text: true },
      { head: 'mean', over: 'support calls' },
      { head: 'highest', over: 'support calls' },
      { head: 'left to a surer one' },
      { head: 'wrong' },
      { head: 'worst', unit: '10⁻⁶', over: 'error' },
      { head: 'mean', unit: '10⁻⁶', over: 'error' },
      { head: 'depths within 1 %', unit: '%' },
      { head: 'median', unit: 'µs per pair', over: 'time' },
      { head: 'least', unit: 'µs per pair', over: 'time' },
      { head: 'most', unit: 'µs per pair', over: 'time' },
      ...(hasGpu ? [{ head: 'GPU timestamps', unit: 'µs per pair' }] : []),
      { head: '× Rapier' },
    ],
    groups: shape.settings.map(({ probability, intersecting, runs }) => ({
      name: `Probability ${probability}: ${percent(intersecting)} intersect`,
      rows: runs.map((run): Cell[] => {
        const asksDepth = run.question === 'penetration' || run.question === 'signed-distance';
        const perPair = (seconds: number) => inUnits(seconds / run.timedPairs, MICROSECOND);
        const wrong: Cell =
          run.wrong > 0 ? { text: countText(run.wrong), look: 'alert' } : countText(run.wrong);
        return [
          label(run.way),
          QUESTION_LABELS[run.question],
          inUnits(run.calls.mean, 1),
          inUnits(run.calls.highest, 1),
          kind(run.way) === 'peer' ? NOTHING : countText(run.undecided),
          wrong,
          run.question === 'intersect' ? NOTHING : numberText(1e6 * run.error.worst),
          run.question === 'intersect' ? NOTHING : numberText(1e6 * run.error.mean),
          asksDepth ? numberText(100 * run.within) : NOTHING,
          ...[run.seconds.median, run.seconds.min, run.seconds.max].map(perPair),
          ...(hasGpu ? [run.gpu === undefined ? NOTHING : perPair(run.gpu.median)] : []),
          inUnits(run.ratioToPeer, 1),
        ];
      }),
    })),
  });
}
