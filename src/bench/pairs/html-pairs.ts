/** Suite `pairs` in the report: Rapier's rates beside scree's, and the figures 4 to 17 of the thesis beside what it says. */

import { tickText } from '../chart.ts';
import { details, figure, type Plot, paragraph, statementCard } from '../html-parts.ts';
import {
  capitalized,
  countText,
  countTick,
  escapeHtml,
  numberText,
  rateText,
  secondsText,
  secondsTick,
} from '../html-text.ts';
import type { Finding } from '../report.ts';
import { THESIS_FAILURES } from './constants.ts';
import { highestCalls, meanCalls, pairSeconds, type Value } from './figures.ts';
import { growthSection } from './html-growth.ts';
import { accuracyTable, peerTable } from './html-peer.ts';
import { algorithmPlots, type PlotOptions, settingPlot, shapePlots, wayPlot } from './html-plots.ts';
import { pairTables } from './html-tables.ts';
import type { PairQuestion, PairsReport } from './pairs-report.ts';

export const PAIRS_TITLE = 'Pairs of convex bodies';

const INTRODUCTION = [
  'The randomized benchmark of L. Olvang, Real-time collision detection with implicit objects (Uppsala 2010), section 4.1: two bodies with random positions and orientations in a cube, whose side decides how many pairs intersect. Charts have a point for each side, above the share of its pairs that intersect.',
  'Every answer is held against a reference, GJK and EPA in float64 to 2⁻³⁶ of a pair’s size. That is proven in its turn by a plane between the bodies, by a point in both, and where both are polytopes by the separating axes of some. A pair on the wrong side would have ended the run.',
  'Its comparison of double and single precision is that of float64 on the CPU and float32 on the GPU here: solid and dashed lines. The thesis timed programs in C++ on a 2.4 GHz Core 2: calls compare, seconds do not. Its highest calls are the mean of 1000 in a million pairs; here it is the same share, a thousandth, of fewer pairs.',
];

const ALGORITHMS = ['gjk', 'mpr'] as const;
const callsText = (value: number) => `${numberText(value)} calls`;
const perThousand = (value: number) => `${tickText(Number((1000 * value).toPrecision(3)))} ‰`;

const CALLS: PlotOptions = {
  yLabel: 'support calls per pair, mean',
  value: meanCalls,
  text: callsText,
  tick: tickText,
};
const HIGHEST: PlotOptions = { ...CALLS, yLabel: 'support calls, highest thousandth', value: highestCalls };
const TIMES: PlotOptions = {
  yLabel: 'time per pair, by factors',
  value: pairSeconds,
  text: secondsText,
  tick: secondsTick,
  factors: true,
};
const RATES: PlotOptions = {
  yLabel: 'pairs per second, by factors',
  value: ({ pairsPerSecond }) => pairsPerSecond.median,
  text: (value) => `${rateText(value)} pairs/s`,
  tick: countTick,
  factors: true,
};
const share =
  (count: 'undecided' | 'disagreeing'): Value =>
  ({ [count]: number, checked }) =>
    checked === 0 ? 0 : number / checked;
const FAILURES: PlotOptions = {
  yLabel: 'left to a surer algorithm',
  value: share('undecided'),
  text: perThousand,
  level: { value: THESIS_FAILURES, name: 'the thesis fails less often than this' },
};

/** Content of the section, below its heading. */
export function pairsSections(pairs: PairsReport): string[] {
  return [
    paragraph(extentOf(pairs), 'faint'),
    ...INTRODUCTION.map((line) => paragraph(line)),
    `<ul>${pairs.shapes.map(({ label, sizes }) => `<li>${escapeHtml(capitalized(label))}: ${escapeHtml(sizes)}</li>`).join('')}</ul>`,
    ...peerSections(pairs),
    ...growthSection(pairs),
    '<h3>Configurations</h3>',
    thesisFigure(
      pairs,
      [4, 5],
      'what the configurations are like',
      'Mean depth and mean distance over all pairs, in the unit of the shapes, by the reference.',
      [
        settingPlot(pairs, 'Figure 4', ({ meanDepth }) => meanDepth, {
          yLabel: 'mean depth, 0 where apart',
          text: numberText,
          tick: tickText,
        }),
        settingPlot(pairs, 'Figure 5', ({ meanDistance }) => meanDistance, {
          yLabel: 'mean distance, 0 where they intersect',
          text: numberText,
          tick: tickText,
        }),
      ],
    ),
    '<h3>Intersection tests</h3>',
    ...questionFigures(pairs, 'intersect', ALGORITHMS, { mean: 6, highest: 7, time: 8 }),
    disagreementFigure(pairs),
    '<h3>Depths</h3>',
    ...questionFigures(pairs, 'penetration', ALGORITHMS, { mean: 9, highest: 10, failures: 11, time: 12 }),
    '<h3>Distances</h3>',
    ...questionFigures(pairs, 'distance', ['gjk', 'gjk-johnson'], {
      failures: 13,
      mean: 14,
      highest: 15,
      time: 16,
    }),
    ...pairTables(pairs),
  ];
}

function extentOf({ shapes }: PairsReport): string {
  const settings = shapes.flatMap((shape) => shape.settings);
  const all = settings.reduce((sum, { pairs }) => sum + pairs, 0);
  const most = Math.max(0, ...shapes.map((shape) => shape.settings.length));
  return `${countText(shapes.length)} combinations of shapes at up to ${countText(most)} probabilities, ${countText(all)} pairs`;
}

const PEER_QUESTIONS: readonly (readonly [PairQuestion, string])[] = [
  ['penetration', 'Depth of pairs that intersect'],
  ['signed-distance', 'Signed distance of all pairs'],
  ['intersect', 'Whether pairs intersect'],
];

function peerSections(pairs: PairsReport): string[] {
  if (!pairs.ways.some(({ kind }) => kind === 'peer')) return [];
  const compared = pairs.shapes.filter(({ settings }) =>
    settings.some(({ runs }) => runs.some(({ ratioToPeer }) => ratioToPeer > 0)),
  );
  return [
    '<h3>Pairs per second, beside Rapier</h3>',
    paragraph(
      'Rapier is asked by contactCollider between colliders that lie in place beforehand: only the call itself is timed, on the one thread that it has. Its shapes have no ellipsoid. For a depth contacts are asked for up to a distance of 0, for a signed distance up to any; whether a pair intersects is told by there being a contact, or by its test of a shape where that is faster. Of scree the whole call is timed, poses and results included.',
    ),
    paragraph(
      'Rapier has no tolerance to choose. Scree is asked for bounds within 2⁻²⁰ of a pair’s size (10⁻⁶), its default, and besides within 2⁻¹⁰ (10⁻³), the class of what Rapier is off at worst on all shapes but boxes. Compare speeds with the errors that were measured beside them. Sides are proven at either.',
    ),
    accuracyTable(pairs),
    ...PEER_QUESTIONS.map(([question, name]) => {
      const drawn = figure({
        id: `pairs-rates-${question}`,
        plots: compared.map((shape) => wayPlot(pairs, shape, question, RATES)),
        shared: true,
        row: true,
        caption: `${name}: pairs per second, medians, with whiskers from least to most. A step of the axis is a factor.`,
      });
      return `<h4>${escapeHtml(name)}</h4>\n${drawn}`;
    }),
    details('All ratios and rates beside Rapier', peerTable(pairs)),
  ];
}

/** Figures of one question, in the order of the thesis. */
function questionFigures(
  pairs: PairsReport,
  question: PairQuestion,
  algorithms: readonly string[],
  numbers: {
    readonly mean: number;
    readonly highest: number;
    readonly time: number;
    readonly failures?: number;
  },
): string[] {
  const lines = 'a line for each algorithm and number format';
  const { mean, highest, time, failures } = numbers;
  const drawn: [number, string][] = [
    [
      mean,
      thesisFigure(
        pairs,
        [mean],
        'mean support calls',
        `Support points of both shapes at once that a pair takes, ${lines}.`,
        algorithmPlots(pairs, question, algorithms, CALLS),
      ),
    ],
    [
      highest,
      thesisFigure(
        pairs,
        [highest],
        'most support calls',
        `Mean of the highest thousandth of the pairs, ${lines}.`,
        algorithmPlots(pairs, question, algorithms, HIGHEST),
      ),
    ],
    [
      time,
      thesisFigure(
        pairs,
        [time],
        'time',
        `Time per pair in calls about many, medians: float64 on all threads of the CPU, float32 on the GPU; ${lines}.`,
        algorithmPlots(pairs, question, algorithms, TIMES),
      ),
    ],
  ];
  if (failures !== undefined) {
    const { level: _, ...plain } = FAILURES;
    // What the thesis says of a limit, it says of depths.
    const level = question === 'penetration' ? FAILURES : { ...plain, atLeast: THESIS_FAILURES };
    drawn.push([
      failures,
      thesisFigure(
        pairs,
        [failures],
        'failures',
        'Pairs that the algorithm could not decide, which a surer one then did: none was left without an answer.',
        shapePlots(pairs, question, algorithms, level),
      ),
    ]);
  }
  return drawn.sort(([a], [b]) => a - b).map(([, content]) => content);
}

function disagreementFigure(pairs: PairsReport): string {
  const options: PlotOptions = {
    yLabel: 'MPR and GJK disagree',
    value: share('disagreeing'),
    text: perThousand,
    atLeast: THESIS_FAILURES,
  };
  const plots = (['intersect', 'penetration'] as const).flatMap((question) =>
    shapePlots(pairs, question, ['mpr'], options).map(({ chart, legend }) => ({
      chart: chart.replaceAll('>MPR, ', question === 'intersect' ? '>Tests, ' : '>Depths, '),
      legend,
    })),
  );
  return thesisFigure(
    pairs,
    [17],
    'differing results',
    'Share of the pairs that MPR puts on another side than GJK.',
    plots,
  );
}

/** Charts with what the thesis says about them. */
function thesisFigure(
  { findings }: PairsReport,
  numbers: readonly number[],
  title: string,
  caption: string,
  plots: readonly Plot[],
): string {
  const name = numbers.length === 1 ? `Figure ${numbers[0]}` : `Figures ${numbers.join(' and ')}`;
  const own = findings.filter(({ source }) => numbers.some((number) => source === `Figure ${number}`));
  const cards = own.map((finding) => statementCard(finding, 'Thesis')).join('\n');
  const says = cards === '' ? '' : details(verdictsText(own), `<div class="below">${cards}</div>`);
  return [
    `<h4>${name}: ${escapeHtml(title)}</h4>`,
    figure({ id: `pairs-figure-${numbers.join('-')}`, plots, shared: true, row: true, caption }),
    says,
  ].join('\n');
}

/** `What the thesis says: 1 agrees, 2 differ` */
function verdictsText(findings: readonly Finding[]): string {
  const count = (agrees: Finding['agrees']) => findings.filter((one) => one.agrees === agrees).length;
  const parts = (
    [
      [count('yes'), 'agrees', 'agree'],
      [count('no'), 'differs', 'differ'],
      [count('not measured'), 'not measured', 'not measured'],
    ] as const
  )
    .filter(([number]) => number > 0)
    .map(([number, one, many]) => `${number} ${number === 1 ? one : many}`);
  return `What the thesis says: ${parts.join(', ')}`;
}
