/**
 * What L. Olvang says about the figures 4 to 17 ("Real-time collision detection with implicit objects", Uppsala 2010, section
 * 4.1), beside what was measured here.
 */
import type { Finding, PairQuestion, PairRunReport, PairShapeReport, PairsReport, PairWayReport } from '../report.ts';
import { type Judged, statement } from '../statements.ts';
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
const MPR: Series = { ...GJK, algorithm: 'mpr' };
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
/** Frequency of failures of depths below which the thesis finds its own; how many times as often counts as far more often. */
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
const signedText = (value: number) => `${value < 0 ? '−' : ''}${numberText(Math.abs(value))}`;
/** `boxes 3.21, cones 4.10` */
const listText = <T = number>(values: readonly Of<T>[], text: (value: T) => string = numberText as never) =>
  values.map(({ shape, value }) => `${shape.label} ${text(value)}`).join(', ');
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

export function pairStatements(measured: Measured): Finding[] {
  /** A value for each shape, those without left out. */
  const overShapes = <T>(value: (shape: PairShapeReport) => T | undefined): Of<T>[] =>
    measured.shapes.flatMap((shape) => {
      const found = value(shape);
      return found === undefined ? [] : [{ shape, value: found }];
    });
  const all = (series: Series, value: Value) =>
    overShapes((shape) => {
      const found = valuesOf(measured, shape, series, value);
      return found.length === 0 ? undefined : found;
    });
  /** Means over all probabilities. */
  const means = (series: Series, value: Value) =>
    all(series, value).map(({ shape, value: found }) => ({
      shape,
      value: mean(found.map((one) => one.value)),
    }));
  /** Ratios of two series on every shape, probability by probability. */
  const ratios = (over: Series, under: Series, value: Value) =>
    overShapes((shape) => {
      const below = valuesOf(measured, shape, under, value);
      const found = valuesOf(measured, shape, over, value).flatMap(({ probability, value: one }) => {
        const other = below.find((place) => place.probability === probability);
        return other === undefined || !(other.value > 0) ? [] : [one / other.value];
      });
      return found.length === 0 ? undefined : found;
    });
  const single = (series: Series): Series => ({ ...series, precision: 'float32' });
  const flat = (found: readonly Of<readonly number[]>[]) => found.flatMap(({ value }) => value);
  /** One series less another, shape by shape. */
  const less = (a: readonly Of<number>[], b: readonly Of<number>[]) =>
    a.flatMap(({ shape, value }) => {
      const other = b.find((one) => one.shape === shape);
      return other === undefined ? [] : [{ shape, value: value - other.value }];
    });
  /** A judgement of what there is some of. */
  const given = <T>(found: readonly T[], judge: (found: readonly T[]) => Judged) =>
    found.length === 0 ? undefined : judge(found);
  const unless = (isMissing: boolean, judged: () => Judged) => (isMissing ? undefined : judged());
  const faster = (slow: Series, fast: Series, name: string) => () =>
    given(ratios(slow, fast, pairSeconds), (found) => ({
      measured: `Time of ${name} over that of MPR: ${listText(found, rangeText)}.`,
      agrees: flat(found).every((one) => one > 1),
    }));

  return [
    statement('Figure 4', 'The mean depths by MPR and by EPA are too close for their difference to be seen.', () =>
      given(
        ratios(MPR_DEPTH, EPA, ({ meanDepth }) => meanDepth),
        (found) => ({
          measured: `MPR's mean depth over EPA's at the probability where it is largest: ${listText(found, (value) => numberText(most(value)))}.`,
          agrees: most(flat(found)) <= 1 + SAME_WITHIN,
        }),
      ),
    ),
    statement(
      'Figure 6',
      'Neither algorithm needs many support calls for an intersection test: 2 to 4 on average.',
      () =>
        given(
          [GJK, MPR].flatMap((series) => means(series, meanCalls)).map(({ value }) => value),
          (found) => ({
            measured: `From ${rangeText(found)} calls, means over all probabilities.`,
            agrees: most(found) <= 4 + HALF_CALL,
          }),
        ),
    ),
    statement(
      'Figure 6',
      'MPR uses roughly one support call less than GJK, because its first point is computed without one.',
      () =>
        given(less(means(GJK, meanCalls), means(MPR, meanCalls)), (fewer) => ({
          measured: `Calls of GJK less those of MPR, means over all probabilities: ${listText(fewer, signedText)}.`,
          agrees: fewer.every(({ value }) => Math.abs(value - 1) <= HALF_CALL),
        })),
    ),
    statement('Figure 6', 'The number format does not affect the number of support calls of either algorithm.', () =>
      given(
        [GJK, MPR].flatMap((series) => flat(ratios(single(series), series, meanCalls))),
        (found) => ({
          measured: `Mean calls in float32 over those in float64: ${rangeText(found)}.`,
          agrees: least(found) >= 1 - SAME_WITHIN && most(found) <= 1 + SAME_WITHIN,
        }),
      ),
    ),
    statement(
      'Figure 6',
      'MPR finds it slightly harder to test shapes of mostly curved surfaces (ellipsoids, box and ellipsoid, cones); GJK does not separate them so clearly.',
      () => {
        const found = means(MPR, meanCalls);
        return unless(found.length < 2, () => ({
          measured: `Calls of MPR: ${listText(found)}.`,
          agrees: least(ofNames(found, QUADRIC)) > most(ofNames(found, QUADRIC, false)),
        }));
      },
    ),
    statement('Figure 7', 'In the worst case MPR uses two to three calls more than GJK, 8 to 16 against 6 to 14.', () =>
      given(less(means(MPR, highestCalls), means(GJK, highestCalls)), (more) => ({
        measured: `Of the highest thousandth, calls of MPR less those of GJK: ${listText(more, signedText)}.`,
        agrees: more.every(({ value }) => value >= 2 - HALF_CALL && value <= 3 + HALF_CALL),
      })),
    ),
    statement('Figure 7', 'Ordered by calls in the worst case, shapes come in the same order for GJK and MPR.', () => {
      const [gjk, mpr] = [means(GJK, highestCalls), means(MPR, highestCalls)];
      return unless(gjk.length < 2 || mpr.length < 2, () => ({
        measured: `GJK: ${listText(gjk)}. MPR: ${listText(mpr)}.`,
        agrees: order(gjk).join() === order(mpr).join(),
      }));
    }),
    statement('Figure 8', 'MPR is faster than GJK in all intersection tests.', faster(GJK, MPR, 'GJK')),
    statement(
      'Figure 8',
      'The support mapping dominates: polyhedra, whose 50 points are searched, take significantly longer than all others, though not more calls.',
      () => {
        const times = means(MPR, pairSeconds);
        return unless(times.length < 2, () => ({
          measured: `Time of MPR per pair: ${listText(times, secondsText)}.`,
          agrees: order(times)[0] === 'polyhedron',
        }));
      },
    ),
    statement(
      'Figure 9',
      'For depths MPR uses more calls than EPA, not twice as many, since it takes the portal to the surface twice.',
      () =>
        given(ratios(MPR_DEPTH, EPA, meanCalls), (found) => ({
          measured: `Calls of MPR over those of GJK and EPA: ${listText(found, (value) => numberText(mean(value)))}.`,
          agrees: found.every(({ value }) => mean(value) > 1 && mean(value) < 2),
        })),
    ),
    statement(
      'Figure 9',
      'Both use the most calls for ellipsoids, followed by box and ellipsoid, and cones; EPA needs fewer for cones than for box and ellipsoid, MPR about as many.',
      () => {
        const [mpr, epa] = [means(MPR_DEPTH, meanCalls), means(EPA, meanCalls)];
        const starts = [mpr, epa].map((one) => order(one).slice(0, 3));
        return unless(mpr.length < 3 || epa.length < 3, () => ({
          measured: `MPR: ${listText(mpr)}. GJK and EPA: ${listText(epa)}.`,
          agrees: starts.every(
            ([first, ...others]) => first === 'ellipsoid' && others.sort().join() === 'box-ellipsoid,cone',
          ),
        }));
      },
    ),
    statement(
      'Figure 10',
      'In the worst case, calls of MPR for depths change significantly with the number format, those of EPA do not.',
      () => {
        const [mpr, epa] = [MPR_DEPTH, EPA].map((one) => flat(ratios(single(one), one, highestCalls)));
        const change = (values: readonly number[]) => most(values.map((one) => Math.abs(Math.log(one))));
        return unless(mpr!.length === 0 || epa!.length === 0, () => ({
          measured: `Highest calls in float32 over those in float64: MPR ${rangeText(mpr!)}, EPA ${rangeText(epa!)}.`,
          agrees: change(mpr!) > 2 * change(epa!),
        }));
      },
    ),
    statement(
      'Figure 11',
      `Depth computations fail in less than ${1000 * THESIS_FAILURES} of 1000 cases, but for polyhedra with EPA in single precision.`,
      () => leftToSurer(measured, 'penetration', (_, most) => most < THESIS_FAILURES),
    ),
    statement('Figure 11', 'MPR fails significantly less often than GJK with EPA, because it is a heuristic.', () => {
      const [mpr, epa] = ['mpr', 'gjk'].map((algorithm) =>
        undecided(measured, 'penetration', (way) => way.algorithm === algorithm),
      );
      const within = all(MPR_DEPTH, (run) => run.within).map(({ shape, value }) => ({
        shape,
        value: least(value.map((one) => one.value)),
      }));
      return unless(mpr!.all === 0 || epa!.all === 0, () => ({
        measured: `Neither gave an answer that fails; MPR left ${countText(mpr!.left)} of ${countText(mpr!.all)} to a surer algorithm, GJK and EPA ${countText(epa!.left)}. Within ${100 * DEPTH_WITHIN} % of the exact depth were of MPR's, at the probability where fewest are: ${listText(within, (share) => `${numberText(100 * share)} %`)}.`,
        agrees: mpr!.left < epa!.left,
      }));
    }),
    statement(
      'Figure 12',
      'For depths MPR is faster than GJK with EPA in all tests.',
      faster(EPA, MPR_DEPTH, 'GJK and EPA'),
    ),
    statement(
      'Figure 12',
      'Times of EPA rise steeply in the last five percent of the probabilities, more than those of MPR: it is deep overlaps that cost.',
      () => {
        const growth = (series: Series) =>
          all(series, pairSeconds).flatMap(({ shape, value }) => {
            const at = (p: number) => value.find(({ probability }) => probability === p)?.value;
            const [deep, deepest] = [at(DEEP), at(DEEPEST)];
            return deep === undefined || deepest === undefined ? [] : [{ shape, value: deepest / deep }];
          });
        const [epa, mpr] = [growth(EPA), growth(MPR_DEPTH)];
        return unless(epa.length === 0 || mpr.length === 0, () => ({
          measured: `Time at ${DEEPEST} over that at ${DEEP}, EPA: ${listText(epa)}; MPR: ${listText(mpr)}.`,
          agrees: epa.every(({ value }, i) => value >= STEEP && value > (mpr[i]?.value ?? 0)),
        }));
      },
    ),
    statement(
      'Figure 13',
      'GJK as a measure of distance is very sensitive to the number format: in single precision it fails far more often, from its regions of Voronoi.',
      () => leftToSurer(measured, 'distance', (ratio, _, inSingle) => inSingle > 0 && ratio >= FAR_MORE),
    ),
    statement(
      'Figure 14',
      'Measuring distances takes clearly more calls on curved shapes than on polyhedral ones.',
      () => {
        const found = means(DISTANCE, meanCalls);
        const [curved, straight] = [ofNames(found, QUADRIC), ofNames(found, FLAT)];
        return unless(curved.length === 0 || straight.length === 0, () => ({
          measured: `Mean calls of GJK: ${listText(found)}.`,
          agrees: least(curved) > most(straight),
        }));
      },
    ),
    statement(
      'Figure 14',
      'Measuring a distance takes more calls than an intersection test does, and fewer the likelier an intersection is, after an initial rise.',
      () => {
        const tests = all(GJK, meanCalls);
        const found = all(DISTANCE, meanCalls).filter(({ value }) => value.length > 1);
        const fall = found.map(({ shape, value }) => ({
          shape,
          value: value.at(-1)!.value / most(value.map((one) => one.value)),
        }));
        const over = found.flatMap(({ shape, value }) => {
          const test = tests.find((one) => one.shape === shape);
          return test === undefined ? [] : [{ shape, value: value[0]!.value / test.value[0]!.value }];
        });
        return unless(fall.length === 0 || over.length === 0, () => ({
          measured: `Calls at the highest probability over the most at any: ${listText(fall)}. Calls over those of a test, at the lowest: ${listText(over)}.`,
          agrees: fall.every(({ value }) => value < 1) && over.every(({ value }) => value > 1),
        }));
      },
    ),
    statement(
      'Figure 15',
      'At worst, ellipsoids and cones take almost six times as many calls as boxes and polyhedra: 10 to 60.',
      () => {
        const highest = all(DISTANCE, highestCalls).map(({ shape, value }) => ({
          shape,
          value: most(value.map((one) => one.value)),
        }));
        const [curved, straight] = [ofNames(highest, ['ellipsoid', 'cone']), ofNames(highest, FLAT)];
        return unless(curved.length < 2 || straight.length < 2, () => ({
          measured: `Of the highest thousandth, at the probability where they are most: ${listText(highest)}; ${rangeText([least(curved) / most(straight), most(curved) / least(straight)])} times as many.`,
          agrees: most(curved) / least(straight) >= 5 && least(curved) / most(straight) >= 3,
        }));
      },
    ),
    statement(
      'Figure 15',
      'In all three tests shapes are in the same order of complexity: ellipsoids, box and ellipsoid, cones, round boxes, polyhedra, boxes.',
      () => {
        const orders = (['intersect', 'penetration', 'distance'] as const).map((question) => ({
          question,
          names: order(means({ ...EPA, question }, highestCalls)),
        }));
        return unless(
          orders.some(({ names }) => names.length < 6),
          () => ({
            measured: `${orders.map(({ question, names }) => `${question}: ${names.join(', ')}`).join('; ')} (GJK and EPA, highest thousandth).`,
            agrees: orders.every(({ names }) => names.join() === COMPLEXITY),
          }),
        );
      },
    ),
    statement(
      'Figure 16',
      'For distances both the shape and the cost of its support mapping count: polyhedra take about as many calls as boxes and twice the time, ellipsoids more time still.',
      () => {
        const found = means(DISTANCE, pairSeconds);
        const [box, polyhedron, ellipsoid] = ['box', 'polyhedron', 'ellipsoid'].map(
          (name) => ofNames(found, [name])[0],
        );
        return unless(box === undefined || polyhedron === undefined || ellipsoid === undefined, () => ({
          measured: `Time of GJK per pair: ${listText(found, secondsText)}.`,
          agrees: polyhedron! > box! && ellipsoid! > polyhedron!,
        }));
      },
    ),
    statement(
      'Figure 17',
      'On whether bodies intersect, MPR and GJK disagree in 5 to 10 cases of a million; with depths, about as often as EPA fails.',
      () => {
        const keys = measured.ways.filter(({ algorithm }) => algorithm === 'mpr').map(({ key }) => key);
        const runs = measured.shapes
          .flatMap(({ settings }) => settings.flatMap((setting) => setting.runs))
          .filter(({ way }) => keys.includes(way));
        const sum = (value: Value) => runs.reduce((total, run) => total + value(run), 0);
        // Answers that disagreed would have ended the run: there is no verdict that could be another.
        return unless(runs.length === 0, () => ({
          measured: `They disagree on ${countText(sum((run) => run.disagreeing))} of ${countText(sum((run) => run.checked))} answers.`,
        }));
      },
    ),
  ];
}

/** Answers that an algorithm left to a surer one, and their share where it is largest; none is wrong, or the run would have ended. */
function undecided({ ways, shapes }: Measured, question: PairQuestion, is: (way: PairWayReport) => boolean) {
  const keys = new Set(ways.filter((way) => way.kind === 'scree' && is(way)).map(({ key }) => key));
  const runs = shapes
    .flatMap(({ settings }) => settings.flatMap((setting) => setting.runs))
    .filter((run) => run.question === question && keys.has(run.way));
  const sum = (value: Value) => runs.reduce((total, run) => total + value(run), 0);
  const [left, all] = [sum((run) => run.undecided), sum(({ checked }) => checked)];
  const largest = Math.max(0, ...runs.map((run) => run.undecided / Math.max(1, run.checked)));
  return { left, all, most: largest, share: left / Math.max(1, all) };
}

/** @param agrees takes how many times as often float32 left an answer as float64, the largest share of any, and float32's number */
function leftToSurer(
  measured: Measured,
  question: PairQuestion,
  agrees: (ratio: number, most: number, inSingle: number) => boolean,
): Judged | undefined {
  const [double, single] = (['float64', 'float32'] as const).map((precision) => ({
    ...undecided(measured, question, (way) => way.precision === precision),
    name: `in ${precision}`,
  })) as [ReturnType<typeof undecided> & { name: string }, ReturnType<typeof undecided> & { name: string }];
  if (double.all === 0 || single.all === 0) return undefined;
  const told = [double, single].map(
    ({ name, left, all, most: largest }) =>
      `${name} ${countText(left)} of ${countText(all)} answers (${numberText(1000 * largest)} of 1000 where most were)`,
  );
  return {
    measured: `No answer failed. Left to a surer algorithm were ${told.join(', ')}.`,
    agrees: agrees(single.share / double.share, Math.max(double.most, single.most), single.left),
  };
}
