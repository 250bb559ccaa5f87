/** The thesis about depths (figures 9 to 12) and distances (figures 13 to 16), beside what was measured here. */
import { countText, numberText, secondsText } from '../html-text.ts';
import type { Finding } from '../report.ts';
import { DEPTH_WITHIN, THESIS_FAILURES } from './constants.ts';
import {
  highestCalls,
  judged,
  listText,
  type Measured,
  meanCalls,
  meanOf,
  notMeasured,
  order,
  overShapes,
  pairSeconds,
  placesOf,
  ratiosOf,
  type Series,
} from './figures.ts';
import type { PairQuestion, PairShapeReport } from './pairs-report.ts';

const EPA: Series = { algorithm: 'gjk', precision: 'float64', question: 'penetration' };
const MPR: Series = { ...EPA, algorithm: 'mpr' };
const DISTANCE: Series = { ...EPA, question: 'distance' };
/** Where the thesis' times of EPA begin to rise. */
const DEEP = 0.95;
const DEEPEST = 0.99;
/** Least growth of a time between them that counts as steep. */
const STEEP = 1.15;

const rangeText = (values: readonly number[]) =>
  `${numberText(Math.min(...values))} to ${numberText(Math.max(...values))}`;

export function depthFindings(measured: Measured): Finding[] {
  return [
    moreThanEpa(measured),
    ellipsoidsMost(measured),
    formatsDiffer(measured),
    failures(measured, 'Figure 11', 'penetration'),
    fewerThanEpa(measured),
    mprFaster(measured),
    steepEnd(measured),
  ];
}

export function distanceFindings(measured: Measured): Finding[] {
  return [
    failures(measured, 'Figure 13', 'distance'),
    separation(measured),
    falling(measured),
    sixTimes(measured),
    complexity(measured),
    times(measured),
  ];
}

function moreThanEpa(measured: Measured): Finding {
  const source = 'Figure 9';
  const statement =
    'For depths MPR uses more calls than EPA, not twice as many, since it takes the portal to the surface twice.';
  const ratios = ratiosOf(measured, MPR, EPA, meanCalls);
  if (ratios.length === 0) return notMeasured(source, statement);
  const means = ratios.map(({ shape, value }) => ({
    shape,
    value: value.reduce((sum, one) => sum + one, 0) / value.length,
  }));
  return judged(
    source,
    statement,
    `Calls of MPR over those of GJK and EPA: ${listText(means)}.`,
    means.every(({ value }) => value > 1 && value < 2),
    'EPA here goes on until its bounds meet, so that its depths are exact, and on curved shapes that takes many points. It works on cores without their roundings, MPR on the whole shapes, so that of round boxes it has a polytope to expand and MPR a curved surface.',
  );
}

function ellipsoidsMost(measured: Measured): Finding {
  const source = 'Figure 9';
  const statement =
    'Both use the most calls for ellipsoids, followed by box and ellipsoid, and cones; EPA needs fewer for cones than for box and ellipsoid, MPR about as many.';
  const [mpr, epa] = [MPR, EPA].map((series) =>
    overShapes(measured, (shape) => meanOf(measured, shape, series, meanCalls)),
  );
  if (mpr!.length < 3 || epa!.length < 3) return notMeasured(source, statement);
  const starts = [mpr!, epa!].map((means) => order(means).slice(0, 3));
  return judged(
    source,
    statement,
    `MPR: ${listText(mpr!)}. GJK and EPA: ${listText(epa!)}.`,
    starts.every(
      ([first, ...others]) => first === 'ellipsoid' && others.sort().join() === 'box-ellipsoid,cone',
    ),
    'The order follows how curved a shape is beside what its core leaves of that: of an ellipsoid and a round box a ball is set aside before EPA begins, of a cone nothing.',
  );
}

function formatsDiffer(measured: Measured): Finding {
  const source = 'Figure 10';
  const statement =
    'In the worst case, calls of MPR for depths change significantly with the number format, those of EPA do not.';
  const [mpr, epa] = [MPR, EPA].map((series) =>
    ratiosOf(measured, { ...series, precision: 'float32' }, series, highestCalls).flatMap(
      ({ value }) => value,
    ),
  );
  if (mpr!.length === 0 || epa!.length === 0) return notMeasured(source, statement);
  const spread = (values: readonly number[]) => Math.max(...values.map((one) => Math.abs(Math.log(one))));
  return judged(
    source,
    statement,
    `Highest calls in float32 over those in float64: MPR ${rangeText(mpr!)}, EPA ${rangeText(epa!)}.`,
    spread(mpr!) > 2 * spread(epa!),
    'Both formats are asked for the same gap between bounds here, and what float32 cannot decide is decided in float64.',
  );
}

/** Share of the answers that an algorithm left to a surer one; none of them is wrong, or the run would have ended. */
function undecided(measured: Measured, question: PairQuestion, algorithm?: string) {
  const keys = new Set(
    measured.ways
      .filter((way) => way.kind === 'scree' && (algorithm === undefined || way.algorithm === algorithm))
      .map(({ key }) => key),
  );
  let [left, all, most] = [0, 0, 0];
  for (const { settings } of measured.shapes) {
    for (const { runs } of settings) {
      for (const run of runs) {
        if (run.question !== question || !keys.has(run.way)) continue;
        left += run.undecided;
        all += run.checked;
        most = Math.max(most, run.checked > 0 ? run.undecided / run.checked : 0);
      }
    }
  }
  return { left, all, most };
}

function failures(measured: Measured, source: string, question: PairQuestion): Finding {
  const statement =
    question === 'penetration'
      ? `Depth computations fail in less than ${1000 * THESIS_FAILURES} of 1000 cases, but for polyhedra with EPA in single precision.`
      : 'GJK as a measure of distance is very sensitive to the number format: in single precision it fails far more often, from its regions of Voronoi.';
  const { left, all, most } = undecided(measured, question);
  if (all === 0) return notMeasured(source, statement);
  const share = `${countText(left)} of ${countText(all)} answers were left by an algorithm to a surer one (${numberText(1000 * most)} of 1000 where most were)`;
  const held = `No answer failed. ${share}.`;
  return question === 'penetration'
    ? judged(
        source,
        statement,
        held,
        most < THESIS_FAILURES,
        'Ours is never a failure: bounds that float32 cannot tell apart, or portals that shrink no more, go to a surer algorithm, which takes time but gives the answer.',
      )
    : judged(
        source,
        statement,
        held,
        false,
        'Whether a tetrahedron holds the origin is decided exactly, bounds end the loop instead of a distance that no longer falls, and what float32 cannot decide is decided in float64.',
      );
}

function fewerThanEpa(measured: Measured): Finding {
  const source = 'Figure 11';
  const statement = 'MPR fails significantly less often than GJK with EPA, because it is a heuristic.';
  const [mpr, epa] = ['mpr', 'gjk'].map((algorithm) => undecided(measured, 'penetration', algorithm));
  if (mpr!.all === 0 || epa!.all === 0) return notMeasured(source, statement);
  const exact = overShapes(measured, (shape) => {
    const places = placesOf(measured, shape, MPR, ({ within }) => within);
    return places.length === 0 ? undefined : Math.min(...places.map(({ value }) => value));
  });
  return judged(
    source,
    statement,
    `Neither gave an answer that fails; MPR left ${countText(mpr!.left)} of ${countText(mpr!.all)} to a surer algorithm, GJK and EPA ${countText(epa!.left)}. Within ${100 * DEPTH_WITHIN} % of the exact depth were of MPR's, at the probability where fewest are, of ${listText(exact, (share) => `${numberText(100 * share)} %`)}.`,
    mpr!.left < epa!.left,
    'EPA here decides exactly what a new point sees, and has nothing left to fail at. What MPR pays for its speed is depths that are too large.',
  );
}

function mprFaster(measured: Measured): Finding {
  const source = 'Figure 12';
  const statement = 'For depths MPR is faster than GJK with EPA in all tests.';
  const ratios = ratiosOf(measured, EPA, MPR, pairSeconds);
  if (ratios.length === 0) return notMeasured(source, statement);
  const text = ratios.map(({ shape, value }) => `${shape.label} ${rangeText(value)}`);
  return judged(
    source,
    statement,
    `Time of GJK and EPA over that of MPR: ${text.join(', ')}.`,
    ratios.every(({ value }) => value.every((one) => one > 1)),
    'Where few pairs intersect GJK tells most apart after a call, and EPA is hardly needed; on polytopes and what has polytopes for cores it ends after a few faces, exactly.',
  );
}

function steepEnd(measured: Measured): Finding {
  const source = 'Figure 12';
  const statement =
    'Times of EPA rise steeply in the last five percent of the probabilities, more than those of MPR: it is deep overlaps that cost.';
  const growth = (series: Series) =>
    overShapes(measured, (shape) => {
      const places = placesOf(measured, shape, series, pairSeconds);
      const at = (p: number) => places.find(({ setting }) => setting.probability === p)?.value;
      const [deep, deepest] = [at(DEEP), at(DEEPEST)];
      return deep === undefined || deepest === undefined ? undefined : deepest / deep;
    });
  const [epa, mpr] = [growth(EPA), growth(MPR)];
  if (epa.length === 0 || mpr.length === 0) return notMeasured(source, statement);
  return judged(
    source,
    statement,
    `Time at ${DEEPEST} over that at ${DEEP}, EPA: ${listText(epa)}; MPR: ${listText(mpr)}.`,
    epa.every(({ value }, i) => value >= STEEP && value > (mpr[i]?.value ?? 0)),
    'Among deep pairs those of polytopes take hardly more faces; of curved shapes EPA takes more the nearer the difference comes to a ball about the origin.',
  );
}

const isFlat = ({ name }: PairShapeReport) => name === 'box' || name === 'polyhedron';
const isCurved = ({ name }: PairShapeReport) => ['ellipsoid', 'box-ellipsoid', 'cone'].includes(name);

function separation(measured: Measured): Finding {
  const source = 'Figure 14';
  const statement = 'Measuring distances takes clearly more calls on curved shapes than on polyhedral ones.';
  const means = overShapes(measured, (shape) => meanOf(measured, shape, DISTANCE, meanCalls));
  const of = (is: (shape: PairShapeReport) => boolean) =>
    means.filter(({ shape }) => is(shape)).map(({ value }) => value);
  const [curved, flat] = [of(isCurved), of(isFlat)];
  if (curved.length === 0 || flat.length === 0) return notMeasured(source, statement);
  return judged(
    source,
    statement,
    `Mean calls of GJK: ${listText(means)}.`,
    Math.min(...curved) > Math.max(...flat),
    'Cores without their roundings are less curved than the shapes.',
  );
}

function falling(measured: Measured): Finding {
  const source = 'Figure 14';
  const statement =
    'Measuring a distance takes more calls than an intersection test does, and fewer the likelier an intersection is, after an initial rise.';
  const ends = overShapes(measured, (shape) => {
    const places = placesOf(measured, shape, DISTANCE, meanCalls);
    const tests = placesOf(measured, shape, { ...DISTANCE, question: 'intersect' }, meanCalls);
    if (places.length < 2 || tests.length === 0) return undefined;
    const most = Math.max(...places.map(({ value }) => value));
    return { fall: places.at(-1)!.value / most, test: places[0]!.value / tests[0]!.value };
  });
  if (ends.length === 0) return notMeasured(source, statement);
  const [fall, test] = [
    ends.map(({ shape, value }) => ({ shape, value: value.fall })),
    ends.map(({ shape, value }) => ({ shape, value: value.test })),
  ];
  return judged(
    source,
    statement,
    `Calls at the highest probability over the most at any: ${listText(fall)}. Calls over those of a test, at the lowest: ${listText(test)}.`,
    fall.every(({ value }) => value < 1) && test.every(({ value }) => value > 1),
    'Of pairs that intersect, GJK has to find a tetrahedron around the origin, which on polytopes takes about as many calls as the distance of pairs apart.',
  );
}

function sixTimes(measured: Measured): Finding {
  const source = 'Figure 15';
  const statement =
    'At worst, ellipsoids and cones take almost six times as many calls as boxes and polyhedra: 10 to 60.';
  const highest = overShapes(measured, (shape) => {
    const places = placesOf(measured, shape, DISTANCE, highestCalls);
    return places.length === 0 ? undefined : Math.max(...places.map(({ value }) => value));
  });
  const of = (...names: readonly string[]) =>
    highest.filter(({ shape }) => names.includes(shape.name)).map(({ value }) => value);
  const [curved, flat] = [of('ellipsoid', 'cone'), of('box', 'polyhedron')];
  if (curved.length < 2 || flat.length < 2) return notMeasured(source, statement);
  const ratios = [Math.min(...curved) / Math.max(...flat), Math.max(...curved) / Math.min(...flat)];
  return judged(
    source,
    statement,
    `Of the highest thousandth, at the probability where they are most: ${listText(highest)}; ${rangeText(ratios)} times as many.`,
    ratios[0]! >= 3,
    'A ball is set aside of every ellipsoid, the distance is asked for to 2^-20 of the size, and both bounds are kept, so that the loop ends when they meet and not when the distance falls no more.',
  );
}

function complexity(measured: Measured): Finding {
  const source = 'Figure 15';
  const statement =
    'In all three tests shapes are in the same order of complexity: ellipsoids, box and ellipsoid, cones, round boxes, polyhedra, boxes.';
  const expected = ['ellipsoid', 'box-ellipsoid', 'cone', 'round-box', 'polyhedron', 'box'].join();
  const orders = (['intersect', 'penetration', 'distance'] as const).map((question) => ({
    question,
    names: order(
      overShapes(measured, (shape) => meanOf(measured, shape, { ...EPA, question }, highestCalls)),
    ),
  }));
  if (orders.some(({ names }) => names.length < 6)) return notMeasured(source, statement);
  return judged(
    source,
    statement,
    `${orders.map(({ question, names }) => `${question}: ${names.join(', ')}`).join('; ')} (GJK and EPA, highest thousandth).`,
    orders.every(({ names }) => names.join() === expected),
    'GJK and EPA work on cores here: of round boxes that is a box, with as many calls as a box, and of ellipsoids a smaller one.',
  );
}

function times(measured: Measured): Finding {
  const source = 'Figure 16';
  const statement =
    'For distances both the shape and the cost of its support mapping count: polyhedra take about as many calls as boxes and twice the time, ellipsoids more time still.';
  const seconds = overShapes(measured, (shape) => meanOf(measured, shape, DISTANCE, pairSeconds));
  const of = (name: string) => seconds.find(({ shape }) => shape.name === name)?.value;
  const [box, polyhedron, ellipsoid] = [of('box'), of('polyhedron'), of('ellipsoid')];
  if (box === undefined || polyhedron === undefined || ellipsoid === undefined)
    return notMeasured(source, statement);
  return judged(
    source,
    statement,
    `Time of GJK per pair: ${listText(seconds, secondsText)}.`,
    polyhedron > box && ellipsoid > polyhedron,
    'Support points of ellipsoids cost a root, those of 50 vertices a climb over a dozen of them.',
  );
}
