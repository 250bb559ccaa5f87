/** Suite `pairs` in tables: nothing that was measured is in charts alone. */
import { type Cell, details, table } from '../html-parts.ts';
import { countText, inUnits, NOTHING, numberText } from '../html-text.ts';
import { median } from '../spread.ts';
import { isCompared, percent, titleOf } from './html-plots.ts';
import type { PairQuestion, PairRunReport, PairShapeReport, PairsReport } from './pairs-report.ts';

const MICROSECOND = 1e-6;
const QUESTION_LABELS: Readonly<Record<PairQuestion, string>> = {
  intersect: 'intersect',
  penetration: 'depth',
  distance: 'distance',
  'signed-distance': 'signed distance',
};

export interface PeerRatio {
  readonly shape: PairShapeReport;
  readonly question: PairQuestion;
  readonly way: string;
  readonly label: string;
  /** Over all probabilities, of how many times as fast as Rapier. */
  readonly median: number;
  readonly least: number;
  readonly most: number;
  /** Pairs per second: the middle of all probabilities. */
  readonly rate: number;
  readonly peerRate: number;
}

/** How many times as fast as the peer: every shape and question that it has, for ways that are there to be compared. */
export function peerRatios({ ways, shapes }: PairsReport): PeerRatio[] {
  const peers = new Set(ways.filter(({ kind }) => kind === 'peer').map(({ key }) => key));
  const compared = ways.filter(({ key, kind }) => kind === 'scree' && isCompared(key));
  return shapes.flatMap((shape) =>
    (['penetration', 'signed-distance', 'intersect'] as const).flatMap((question) =>
      compared.flatMap(({ key, label }): PeerRatio[] => {
        const of = (is: (run: PairRunReport) => boolean) =>
          shape.settings.flatMap(({ runs }) => runs.filter((run) => run.question === question && is(run)));
        const own = of((run) => run.way === key && run.ratioToPeer > 0);
        const peer = of((run) => peers.has(run.way));
        if (own.length === 0 || peer.length === 0) return [];
        const ratios = own.map(({ ratioToPeer }) => ratioToPeer);
        const rate = (runs: readonly PairRunReport[]) =>
          median(runs.map(({ pairsPerSecond }) => pairsPerSecond.median));
        return [
          {
            ...{ shape, question, way: key, label, median: median(ratios) },
            ...{ least: Math.min(...ratios), most: Math.max(...ratios) },
            ...{ rate: rate(own), peerRate: rate(peer) },
          },
        ];
      }),
    ),
  );
}

export function peerTable(pairs: PairsReport): string {
  const ratios = peerRatios(pairs);
  return table({
    caption:
      'How many times as fast as Rapier in the same rounds, over all probabilities, and thousands of pairs per second at the middle one.',
    columns: [
      { head: 'question', text: true },
      { head: 'way', text: true },
      ...['median', 'least', 'most'].map((head) => ({ head, over: '× Rapier' })),
      { head: 'scree', over: 'thousand pairs/s' },
      { head: 'Rapier', over: 'thousand pairs/s' },
    ],
    groups: pairs.shapes.map((shape) => ({
      name: titleOf(shape),
      rows: ratios
        .filter((one) => one.shape === shape)
        .map(({ question, label, median: middle, least, most, rate, peerRate }) => [
          QUESTION_LABELS[question],
          label,
          ...[middle, least, most].map((ratio) => inUnits(ratio, 1)),
          ...[rate, peerRate].map((one) => inUnits(one, 1000)),
        ]),
    })),
  });
}

export function pairTables(pairs: PairsReport): string[] {
  const runs = pairs.shapes.flatMap(({ settings }) => settings.flatMap((setting) => setting.runs));
  if (runs.length === 0) return [];
  return [
    '<h3>All figures of pairs</h3>',
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
