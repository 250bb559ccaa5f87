/**
 * What L. Olvang says about the figures 4 to 17 ("Real-time collision detection with implicit objects", Uppsala 2010,
 * section 4.1), beside what was measured here.
 */
import type { Finding, PairQuestion, PairRunReport, PairShapeReport, PairsReport, PairWayReport } from '../report.ts';
import { finding, type Judged } from '../statements.ts';
import { countText, numberText, secondsText } from '../text.ts';
import { DEPTH_WITHIN } from './constants.ts';

export type Measured = Pick<PairsReport, 'ways' | 'shapes'>;

/** Of an algorithm in a number format, asked one question. */
export interface Series {
  readonly algorithm: string;
  readonly precision: PairWayReport['precision'];
  readonly question: PairQuestion;
}
type Value = (run: PairRunReport) => number;
/** A value of a combination of shapes. */
interface Of<T> {
  readonly shape: PairShapeReport;
  readonly value: T;
}

const GJK: Series = { algorithm: 'gjk', precision: 'float64', question: 'intersect' };
/** By the thesis' own steps: a ball about the inner point leaves half of the calls out. */
const MPR: Series = { ...GJK, algorithm: 'mpr-olvang' };
/** GJK, and EPA behind it. */
const EPA: Series = { ...GJK, question: 'penetration' };
const MPR_DEPTH: Series = { ...MPR, question: 'penetration' };
const DISTANCE: Series = { ...GJK, question: 'distance' };

/** Calls by which a difference still counts as "roughly one". */
const HALF_CALL = 0.5;
/** Share by which means of both number formats may differ and still be called the same. */
const SAME_WITHIN = 0.05;
/** Where the thesis' times of EPA begin to rise, and least growth of a time from there that counts as steep. */
const [DEEP, DEEPEST, STEEP] = [0.95, 0.99, 1.15];
/** The thesis' depths fail less often than this; from this ratio on, a failure counts as far more frequent. */
const [THESIS_FAILURES, FAR_MORE] = [2e-3, 10];
/** Shapes that are mostly curved, which the thesis calls quadratic. */
const QUADRIC: readonly string[] = ['ellipsoid', 'box-ellipsoid', 'cone'];
const FLAT: readonly string[] = ['box', 'polyhedron'];
const COMPLEXITY = ['ellipsoid', 'box-ellipsoid', 'cone', 'round-box', 'polyhedron', 'box'].join();

export const meanCallsOf: Value = ({ calls }) => calls.mean;
const meanCalls = meanCallsOf;
export const highestCallsOf: Value = ({ calls }) => calls.highest;
const highestCalls = highestCallsOf;
export const pairSeconds: Value = ({ seconds, timedPairs }) => (timedPairs === 0 ? 0 : seconds.median / timedPairs);

const most = (values: readonly number[]) => Math.max(...values);
const least = (values: readonly number[]) => Math.min(...values);
const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
const rangeText = (values: readonly number[]) => `${numberText(least(values))} to ${numberText(most(values))}`;
const percentText = (share: number) => `${numberText(100 * share)} %`;
const signedText = (value: number) => `${value < 0 ? '−' : ''}${numberText(Math.abs(value))}`;
/** `boxes 3.21, cones 4.10` */
function listText(values: readonly Of<number>[]): string;
function listText<T>(values: readonly Of<T>[], text: (value: T) => string): string;
function listText(values: readonly Of<number>[], text: (value: number) => string = numberText): string {
  return values.map(({ shape, value }) => `${shape.label} ${text(value)}`).join(', ');
}
/** Names of shapes, by falling values. */
const order = (values: readonly Of<number>[]) =>
  values.toSorted((a, b) => b.value - a.value).map(({ shape }) => shape.name);
const ofNames = (values: readonly Of<number>[], names: readonly string[], are = true) =>
  values.filter(({ shape }) => names.includes(shape.name) === are).map(({ value }) => value);

/** Values of a series on a shape by ascending probability; empty where it was not asked. */
export function valuesOf({ ways }: Measured, shape: PairShapeReport, series: Series, value: Value) {
  const keys = ways
    .filter(({ algorithm, precision }) => algorithm === series.algorithm && precision === series.precision)
    .map(({ key }) => key);
  return shape.settings.flatMap(({ probability, runs }) =>
    runs
      .filter(({ way, question }) => question === series.question && keys.includes(way))
      .map((run) => ({ probability, value: value(run) })),
  );
}

/** A statement with what it is judged by. */
interface Claim extends Judged {
  readonly source: string;
  readonly statement: string;
  /** Lists without which there is nothing to judge: none may be empty. */
  readonly from: readonly (readonly unknown[])[];
}

export function pairStatements(measured: Measured): Finding[] {
  return claimsOf(measured).map(({ source, statement, from, ...judged }) =>
    finding(source, statement, from.some((one) => one.length === 0) ? undefined : judged),
  );
}

const minus = (a: number, b: number) => a - b;

function claimsOf(measured: Measured): Claim[] {
  return [testClaims, depthClaims, distanceClaims, claimsOfBoth].flatMap((claims) => claims(measured));
}

/** Lists of values on shapes, as claims compare them. */
function listsOf(measured: Measured) {
  /** A value for each shape, those without left out. */
  const overShapes = <T>(value: (shape: PairShapeReport) => T | undefined): Of<T>[] =>
    measured.shapes.flatMap((shape) => {
      const found = value(shape);
      return found === undefined ? [] : [{ shape, value: found }];
    });
  /** What is made of the values of a series on every shape, over all probabilities. */
  const over = (series: Series, value: Value, make: (values: readonly number[]) => number | undefined) =>
    overShapes((shape) => {
      const found = valuesOf(measured, shape, series, value).map((one) => one.value);
      return found.length === 0 ? undefined : make(found);
    });
  const means = (series: Series, value: Value) => over(series, value, mean);
  /** Ratios of two series on every shape, probability by probability. */
  const ratios = (above: Series, below: Series, value: Value) =>
    overShapes((shape) => {
      const others = valuesOf(measured, shape, below, value);
      const found = valuesOf(measured, shape, above, value).flatMap(({ probability, value: one }) => {
        const other = others.find((place) => place.probability === probability);
        return other === undefined || !(other.value > 0) ? [] : [one / other.value];
      });
      return found.length === 0 ? undefined : found;
    });
  const formats = (series: Series, value: Value) =>
    ratios({ ...series, precision: 'float32' }, series, value).flatMap((one) => one.value);
  /** One list combined with another, shape by shape. */
  const combined = (a: readonly Of<number>[], b: readonly Of<number>[], combine: (a: number, b: number) => number) =>
    a.flatMap(({ shape, value }) => {
      const other = b.find((one) => one.shape === shape);
      return other === undefined ? [] : [{ shape, value: combine(value, other.value) }];
    });
  /** Of lists with at least so many shapes. */
  const atLeast = (count: number, ...lists: readonly (readonly unknown[])[]) =>
    lists.map((one) => (one.length < count ? [] : one));
  /** What judges that MPR is faster than another way. */
  const faster = (slow: Series, fast: Series, name: string) => {
    const found = ratios(slow, fast, pairSeconds);
    return {
      from: [found],
      measured: `Time of ${name} over that of MPR: ${listText(found, rangeText)}.`,
      agrees: found.flatMap(({ value }) => value).every((one) => one > 1),
    };
  };
  return { overShapes, over, means, ratios, formats, combined, atLeast, faster };
}

/** Figures 6 to 8: tests for an intersection. */
function testClaims(measured: Measured): Claim[] {
  const { means, formats, combined, atLeast, faster } = listsOf(measured);
  const [gjkCalls, mprCalls] = [means(GJK, meanCalls), means(MPR, meanCalls)];
  const [gjkWorst, mprWorst] = [means(GJK, highestCalls), means(MPR, highestCalls)];
  const testCalls = [...gjkCalls, ...mprCalls].map(({ value }) => value);
  const fewer = combined(gjkCalls, mprCalls, minus);
  const testFormats = [GJK, MPR].flatMap((series) => formats(series, meanCalls));
  const more = combined(mprWorst, gjkWorst, minus);
  const testTimes = means(MPR, pairSeconds);
  return [
    {
      source: 'Figure 6',
      statement: 'Neither algorithm needs many support calls for an intersection test: 2 to 4 on average.',
      from: [testCalls],
      measured: `From ${rangeText(testCalls)} calls, means over all probabilities.`,
      agrees: most(testCalls) <= 4 + HALF_CALL,
    },
    {
      source: 'Figure 6',
      statement: 'MPR uses roughly one support call less than GJK, because its first point is computed without one.',
      from: [fewer],
      measured: `Calls of GJK less those of MPR, means over all probabilities: ${listText(fewer, signedText)}.`,
      agrees: fewer.every(({ value }) => Math.abs(value - 1) <= HALF_CALL),
    },
    {
      source: 'Figure 6',
      statement: 'The number format does not affect the number of support calls of either algorithm.',
      from: [testFormats],
      measured: `Mean calls in float32 over those in float64: ${rangeText(testFormats)}.`,
      agrees: least(testFormats) >= 1 - SAME_WITHIN && most(testFormats) <= 1 + SAME_WITHIN,
    },
    {
      source: 'Figure 6',
      statement:
        'MPR finds mostly curved shapes (ellipsoids, box and ellipsoid, cones) slightly harder; GJK less clearly.',
      from: atLeast(2, mprCalls),
      measured: `Calls of MPR: ${listText(mprCalls)}.`,
      agrees: least(ofNames(mprCalls, QUADRIC)) > most(ofNames(mprCalls, QUADRIC, false)),
    },
    {
      source: 'Figure 7',
      statement: 'In the worst case MPR uses two to three calls more than GJK, 8 to 16 against 6 to 14.',
      from: [more],
      measured: `Of the highest thousandth, calls of MPR less those of GJK: ${listText(more, signedText)}.`,
      agrees: more.every(({ value }) => value >= 2 - HALF_CALL && value <= 3 + HALF_CALL),
    },
    {
      source: 'Figure 7',
      statement: 'Ordered by calls in the worst case, shapes come in the same order for GJK and MPR.',
      from: atLeast(2, gjkWorst, mprWorst),
      measured: `GJK: ${listText(gjkWorst)}. MPR: ${listText(mprWorst)}.`,
      agrees: order(gjkWorst).join() === order(mprWorst).join(),
    },
    {
      source: 'Figure 8',
      statement: 'MPR is faster than GJK in all intersection tests.',
      ...faster(GJK, MPR, 'GJK'),
    },
    {
      source: 'Figure 8',
      statement:
        'The support mapping dominates: polyhedra (50 points are searched) take far longer, though not more calls.',
      from: atLeast(2, testTimes),
      measured: `Time of MPR per pair: ${listText(testTimes, secondsText)}.`,
      agrees: order(testTimes)[0] === 'polyhedron',
    },
  ];
}

/** Figures 4 and 9 to 12: depths. */
function depthClaims(measured: Measured): Claim[] {
  const { overShapes, over, means, ratios, formats, atLeast, faster } = listsOf(measured);
  const [epaCalls, mprDepthCalls] = [means(EPA, meanCalls), means(MPR_DEPTH, meanCalls)];
  const depths = ratios(MPR_DEPTH, EPA, ({ meanDepth }) => meanDepth);
  const depthCalls = ratios(MPR_DEPTH, EPA, meanCalls);
  const [mprFormats, epaFormats] = [formats(MPR_DEPTH, highestCalls), formats(EPA, highestCalls)];
  const change = (values: readonly number[]) => most(values.map((one) => Math.abs(Math.log(one))));
  const [mprLeft, epaLeft] = [MPR.algorithm, 'gjk'].map((algorithm) =>
    undecided(measured, 'penetration', (way) => way.algorithm === algorithm),
  ) as [Undecided, Undecided];
  const within = over(MPR_DEPTH, (run) => run.within, least);
  /** Times at the deepest pairs over those at deep ones. */
  const rise = (series: Series) =>
    overShapes((shape) => {
      const found = valuesOf(measured, shape, series, pairSeconds);
      const [deep, deepest] = [DEEP, DEEPEST].map((p) => found.find(({ probability }) => probability === p)?.value);
      return deep === undefined || deepest === undefined ? undefined : deepest / deep;
    });
  const [epaRise, mprRise] = [rise(EPA), rise(MPR_DEPTH)];
  return [
    {
      source: 'Figure 4',
      statement: 'The mean depths by MPR and by EPA are too close for their difference to be seen.',
      from: [depths],
      measured: `MPR's mean depth over EPA's, at most: ${listText(depths, (value) => numberText(most(value)))}.`,
      agrees: most(depths.flatMap(({ value }) => value)) <= 1 + SAME_WITHIN,
    },
    {
      source: 'Figure 9',
      statement:
        'For depths MPR uses more calls than EPA, not twice as many, since it takes the portal to the surface twice.',
      from: [depthCalls],
      measured: `Calls of MPR over those of GJK and EPA: ${listText(depthCalls, (value) => numberText(mean(value)))}.`,
      agrees: depthCalls.every(({ value }) => mean(value) > 1 && mean(value) < 2),
    },
    {
      source: 'Figure 9',
      statement:
        'Both use the most calls for ellipsoids, then box and ellipsoid, then cones (for MPR these two are equal).',
      from: atLeast(3, mprDepthCalls, epaCalls),
      measured: `MPR: ${listText(mprDepthCalls)}. GJK and EPA: ${listText(epaCalls)}.`,
      agrees: [mprDepthCalls, epaCalls].every((one) => {
        const [first, ...others] = order(one).slice(0, 3);
        return first === 'ellipsoid' && others.sort().join() === 'box-ellipsoid,cone';
      }),
    },
    {
      source: 'Figure 10',
      statement:
        'In the worst case, calls of MPR for depths change significantly with the number format, those of EPA do not.',
      from: [mprFormats, epaFormats],
      measured: `Highest calls, float32 over float64: MPR ${rangeText(mprFormats)}, EPA ${rangeText(epaFormats)}.`,
      agrees: change(mprFormats) > 2 * change(epaFormats),
    },
    {
      source: 'Figure 11',
      statement: `Depths fail in less than ${1000 * THESIS_FAILURES} of 1000, except for polyhedra by EPA in float32.`,
      ...leftToSurer(measured, 'penetration', (_, most) => most < THESIS_FAILURES),
    },
    {
      source: 'Figure 11',
      statement: 'MPR fails significantly less often than GJK with EPA, because it is a heuristic.',
      from: [mprLeft.runs, epaLeft.runs],
      measured:
        `No answer failed. Left to a surer algorithm: ${shareText(mprLeft)} of MPR, ${shareText(epaLeft)} of EPA. ` +
        `Least share of MPR's depths within ${100 * DEPTH_WITHIN} % of exact: ${listText(within, percentText)}.`,
      agrees: mprLeft.left < epaLeft.left,
    },
    {
      source: 'Figure 12',
      statement: 'For depths MPR is faster than GJK with EPA in all tests.',
      ...faster(EPA, MPR_DEPTH, 'GJK and EPA'),
    },
    {
      source: 'Figure 12',
      statement: 'In the last five percent of the probabilities, times of EPA rise steeply, more than those of MPR.',
      from: [epaRise, mprRise],
      measured: `Time at ${DEEPEST} over that at ${DEEP}, EPA: ${listText(epaRise)}; MPR: ${listText(mprRise)}.`,
      agrees: epaRise.every(({ value }, i) => value >= STEEP && value > (mprRise[i]?.value ?? 0)),
    },
  ];
}

/** Figures 13 to 16: distances. */
function distanceClaims(measured: Measured): Claim[] {
  const { over, means, combined, atLeast } = listsOf(measured);
  const distanceCalls = means(DISTANCE, meanCalls);
  const fall = over(DISTANCE, meanCalls, (calls) => (calls.length > 1 ? calls.at(-1)! / most(calls) : undefined));
  const firstCalls = over(DISTANCE, meanCalls, (calls) => (calls.length > 1 ? calls[0] : undefined));
  const overTests = combined(
    firstCalls,
    over(GJK, meanCalls, ([first]) => first),
    (a, b) => a / b,
  );
  const highest = over(DISTANCE, highestCalls, most);
  const [roundest, straightest] = [ofNames(highest, ['ellipsoid', 'cone']), ofNames(highest, FLAT)];
  const timesAsMany = [least(roundest) / most(straightest), most(roundest) / least(straightest)];
  const orders = (['intersect', 'penetration', 'distance'] as const).map((question) => {
    const names = order(means({ ...EPA, question }, highestCalls));
    return { names, text: `${question}: ${names.join(', ')}` };
  });
  const distanceTimes = means(DISTANCE, pairSeconds);
  const [box, polyhedron, ellipsoid] = ['box', 'polyhedron', 'ellipsoid'].map((name) => ofNames(distanceTimes, [name]));
  return [
    {
      source: 'Figure 13',
      statement:
        'Distances by GJK are sensitive to the number format: in float32, its regions of Voronoi fail far more often.',
      ...leftToSurer(measured, 'distance', (ratio, _, inSingle) => inSingle > 0 && ratio >= FAR_MORE),
    },
    {
      source: 'Figure 14',
      statement: 'Measuring distances takes clearly more calls on curved shapes than on polyhedral ones.',
      from: [ofNames(distanceCalls, QUADRIC), ofNames(distanceCalls, FLAT)],
      measured: `Mean calls of GJK: ${listText(distanceCalls)}.`,
      agrees: least(ofNames(distanceCalls, QUADRIC)) > most(ofNames(distanceCalls, FLAT)),
    },
    {
      source: 'Figure 14',
      statement:
        'A distance takes more calls than a test; after an initial rise, fewer the likelier an intersection is.',
      from: [fall, overTests],
      measured:
        `Calls at the highest probability over the most at any: ${listText(fall)}. ` +
        `Calls over those of a test, at the lowest probability: ${listText(overTests)}.`,
      agrees: fall.every(({ value }) => value < 1) && overTests.every(({ value }) => value > 1),
    },
    {
      source: 'Figure 15',
      statement: 'At worst, ellipsoids and cones take almost six times as many calls as boxes and polyhedra: 10 to 60.',
      from: atLeast(2, roundest, straightest),
      measured: `Most calls of the highest thousandth: ${listText(highest)}; ${rangeText(timesAsMany)} times as many.`,
      agrees: most(timesAsMany) >= 5 && least(timesAsMany) >= 3,
    },
    {
      source: 'Figure 15',
      statement:
        'All have the same order of complexity: ellipsoids, box and ellipsoid, cones, round boxes, polyhedra, boxes.',
      from: atLeast(6, ...orders.map(({ names }) => names)),
      measured: `GJK and EPA, highest thousandth: ${orders.map(({ text }) => text).join('; ')}.`,
      agrees: orders.every(({ names }) => names.join() === COMPLEXITY),
    },
    {
      source: 'Figure 16',
      statement:
        'For distances, polyhedra take about as many calls as boxes and twice the time, ellipsoids more time still.',
      from: [box!, polyhedron!, ellipsoid!],
      measured: `Time of GJK per pair: ${listText(distanceTimes, secondsText)}.`,
      agrees: polyhedron![0]! > box![0]! && ellipsoid![0]! > polyhedron![0]!,
    },
  ];
}

/** Figure 17: answers of both. */
function claimsOfBoth(measured: Measured): Claim[] {
  const mprKeys = measured.ways.filter(({ algorithm }) => algorithm.startsWith('mpr')).map(({ key }) => key);
  const mprRuns = runsOf(measured).filter(({ way }) => mprKeys.includes(way));
  const disagreeing = [sum(mprRuns, (run) => run.disagreeing), sum(mprRuns, ({ checked }) => checked)];
  return [
    {
      source: 'Figure 17',
      statement:
        'MPR and GJK disagree on 5 to 10 of a million intersections; with depths, about as often as EPA fails.',
      from: [mprRuns],
      // There is no verdict: the run ends when answers disagree.
      measured: `They disagree on ${disagreeing.map(countText).join(' of ')} answers.`,
    },
  ];
}

const sum = (runs: readonly PairRunReport[], value: Value) => runs.reduce((total, run) => total + value(run), 0);
const runsOf = ({ shapes }: Measured) => shapes.flatMap(({ settings }) => settings.flatMap(({ runs }) => runs));

/** Answers that an algorithm left to a surer one, and their largest share. A wrong answer would have ended the run. */
function undecided(measured: Measured, question: PairQuestion, is: (way: PairWayReport) => boolean) {
  const keys = measured.ways.filter((way) => way.kind === 'scree' && is(way)).map(({ key }) => key);
  const runs = runsOf(measured).filter((run) => run.question === question && keys.includes(run.way));
  const [left, all] = [sum(runs, (run) => run.undecided), sum(runs, ({ checked }) => checked)];
  const largest = Math.max(0, ...runs.map((run) => run.undecided / Math.max(1, run.checked)));
  return { runs, left, all, most: largest, share: left / Math.max(1, all) };
}
type Undecided = ReturnType<typeof undecided>;
const shareText = ({ left, all }: Pick<Undecided, 'left' | 'all'>) => `${countText(left)} of ${countText(all)}`;

/** @param agrees takes the ratio of what float32 and float64 left, the largest share, and float32's number */
function leftToSurer(
  measured: Measured,
  question: PairQuestion,
  agrees: (ratio: number, most: number, inSingle: number) => boolean,
) {
  const [double, single] = (['float64', 'float32'] as const).map((precision) =>
    undecided(measured, question, (way) => way.precision === precision),
  ) as [Undecided, Undecided];
  const told = (one: Undecided) => `${shareText(one)} answers (${numberText(1000 * one.most)} of 1000 where most were)`;
  const leftText = `in float64 ${told(double)}, in float32 ${told(single)}`;
  return {
    from: [double.runs, single.runs],
    measured: `No answer failed. Left to a surer algorithm were ${leftText}.`,
    agrees: agrees(single.share / double.share, Math.max(double.most, single.most), single.left),
  };
}
