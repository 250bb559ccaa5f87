/** The thesis about depths (figures 9 to 12), beside what was measured here. */
import type { Finding } from '../report.ts';
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
  rangeText,
  ratiosOf,
  type Series,
} from './figures.ts';
import { fewerThanEpa, leftToSurer } from './findings-failures.ts';

const EPA: Series = { algorithm: 'gjk', precision: 'float64', question: 'penetration' };
const MPR: Series = { ...EPA, algorithm: 'mpr' };
/** Where the thesis' times of EPA begin to rise. */
const DEEP = 0.95;
const DEEPEST = 0.99;
/** Least growth of a time between them that counts as steep. */
const STEEP = 1.15;

export function depthFindings(measured: Measured): Finding[] {
  return [
    moreThanEpa(measured),
    ellipsoidsMost(measured),
    formatsDiffer(measured),
    leftToSurer(measured, 'Figure 11', 'penetration'),
    fewerThanEpa(measured),
    mprFaster(measured),
    steepEnd(measured),
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
