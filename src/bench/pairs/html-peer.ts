/** Rapier beside scree: how many times as fast, and how accurate either is. */
import { type Cell, table } from '../html-parts.ts';
import { inUnits, NOTHING } from '../html-text.ts';
import { median } from '../spread.ts';
import { REFERENCE_TOLERANCE } from './constants.ts';
import { isCompared, titleOf } from './html-plots.ts';
import type { PairQuestion, PairRunReport, PairShapeReport, PairsReport } from './pairs-report.ts';
import { QUESTION_LABELS } from './question-labels.ts';

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

/** `3.2e-3`; what is below the reference's own tolerance is nothing. */
function errorText(error: number): string {
  return error < REFERENCE_TOLERANCE ? `< ${REFERENCE_TOLERANCE.toExponential(0)}` : error.toExponential(1);
}

/** Ways of each accuracy, and what the table calls it. */
const ACCURACIES = [
  ['scree to 2⁻²⁰', 'auto-cpu', 'auto-gpu'],
  ['scree to 2⁻¹⁰', 'auto-cpu-coarse', 'auto-gpu-coarse'],
] as const;

/** Depths: errors and speeds of the peer and of scree, asked for little and for as much as the peer gives. */
export function accuracyTable(pairs: PairsReport): string {
  const ratios = peerRatios(pairs).filter(({ question }) => question === 'penetration');
  const peers = new Set(pairs.ways.filter(({ kind }) => kind === 'peer').map(({ key }) => key));
  const worst = (shape: PairShapeReport, is: (way: string) => boolean) => {
    const errors = shape.settings.flatMap(({ runs }) =>
      runs
        .filter(({ way, question }) => question === 'penetration' && is(way))
        .map(({ error }) => error.worst),
    );
    return errors.length === 0 ? NOTHING : errorText(Math.max(...errors));
  };
  const shapes = pairs.shapes.filter((shape) => ratios.some((one) => one.shape === shape));
  return table({
    caption:
      'Depths, over all probabilities: largest error relative to the pair’s size, and how many times as fast as Rapier (medians).',
    columns: [
      { head: 'shapes', text: true },
      { head: 'thousand pairs/s', over: 'Rapier' },
      { head: 'error', over: 'Rapier' },
      ...ACCURACIES.flatMap(([over]) => ['× CPU', 'error', '× GPU', 'error'].map((head) => ({ head, over }))),
    ],
    groups: [
      {
        rows: shapes.map((shape): Cell[] => {
          const of = (way: string) => ratios.find((one) => one.shape === shape && one.way === way);
          const times = (way: string) => inUnits(of(way)?.median ?? 0, 1);
          const [any] = ratios.filter((one) => one.shape === shape);
          return [
            titleOf(shape),
            inUnits(any!.peerRate, 1000),
            worst(shape, (way) => peers.has(way)),
            ...ACCURACIES.flatMap(([, cpu, gpu]) => [
              ...[times(cpu), worst(shape, (way) => way === cpu)],
              ...[times(gpu), worst(shape, (way) => way === gpu)],
            ]),
          ];
        }),
      },
    ],
  });
}
