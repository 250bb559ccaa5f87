/**
 * What L. Olvang says about the figures 4 to 17 ("Real-time collision detection with implicit objects", Uppsala 2010, section
 * 4.1), beside what was measured here. Here: intersection tests and the configurations; depths and distances in findings-depth.ts.
 */
import { numberText, secondsText } from '../html-text.ts';
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
  QUADRIC,
  ratiosOf,
  type Series,
} from './figures.ts';
import { depthFindings } from './findings-depth.ts';
import { distanceFindings } from './findings-distance.ts';

const GJK: Series = { algorithm: 'gjk', precision: 'float64', question: 'intersect' };
const MPR: Series = { ...GJK, algorithm: 'mpr' };

/** Calls by which a difference still counts as "roughly one". */
const HALF_CALL = 0.5;
/** Share by which means of both number formats may differ and still be called the same. */
const SAME_WITHIN = 0.05;

/** @param quick too few pairs to tell: figures are given, and no judgement */
export function pairFindings(measured: Measured, quick: boolean): Finding[] {
  const findings = [
    meanDepths(measured),
    fewCalls(measured),
    oneCallFewer(measured),
    formatsAlike(measured),
    quadricsHarder(measured),
    worstCase(measured),
    sameOrder(measured),
    mprFaster(measured),
    supportDominates(measured),
    ...depthFindings(measured),
    ...distanceFindings(measured),
    disagreements(measured),
  ];
  if (!quick) return findings;
  const why = 'A quick run has too few pairs to tell.';
  return findings.map((finding) => ({ ...finding, agrees: 'not measured', why }));
}

function meanDepths(measured: Measured): Finding {
  const source = 'Figure 4';
  const statement = 'The mean depths by MPR and by EPA are too close for their difference to be seen.';
  const depth: Series = { ...MPR, question: 'penetration' };
  const ratios = ratiosOf(measured, depth, { ...depth, algorithm: 'gjk' }, ({ meanDepth }) => meanDepth);
  if (ratios.length === 0) return notMeasured(source, statement);
  const most = ratios.map(({ shape, value }) => ({ shape, value: Math.max(...value) }));
  return judged(
    source,
    statement,
    `MPR's mean depth over EPA's at the probability where it is largest: ${listText(most)}.`,
    most.every(({ value }) => value <= 1 + SAME_WITHIN),
    'MPR measures along the ray between the centroids and then along the normal found there. That is no smaller than the depth, and in deep overlaps of curved shapes larger; over all pairs of a setting it can be seen.',
  );
}

function fewCalls(measured: Measured): Finding {
  const source = 'Figure 6';
  const statement = 'Neither algorithm needs many support calls for an intersection test: 2 to 4 on average.';
  const means = [GJK, MPR].flatMap((series) =>
    overShapes(measured, (shape) => meanOf(measured, shape, series, meanCalls)).map(({ value }) => value),
  );
  if (means.length === 0) return notMeasured(source, statement);
  const [least, most] = [Math.min(...means), Math.max(...means)];
  return judged(
    source,
    statement,
    `From ${numberText(least)} to ${numberText(most)} calls, means over all probabilities.`,
    most <= 4 + HALF_CALL,
    'Refinement here ends when the side is proven, not when a step was small, and that takes further calls where bodies are near touching.',
  );
}

function oneCallFewer(measured: Measured): Finding {
  const source = 'Figure 6';
  const statement =
    'MPR uses roughly one support call less than GJK, because its first point is computed without one.';
  const fewer = overShapes(measured, (shape) => {
    const [gjk, mpr] = [GJK, MPR].map((series) => meanOf(measured, shape, series, meanCalls));
    return gjk === undefined || mpr === undefined ? undefined : gjk - mpr;
  });
  if (fewer.length === 0) return notMeasured(source, statement);
  return judged(
    source,
    statement,
    `Calls of GJK less those of MPR, means over all probabilities: ${listText(fewer, signedText)}.`,
    fewer.every(({ value }) => Math.abs(value - 1) <= HALF_CALL),
    'Our MPR knows of a ball about its first point, the sum of balls in both shapes, so that every support point, the first included, may tell the side, and deep overlaps take none; that saves it more than one call where GJK has to make a simplex, as on boxes, polyhedra and cones. On round shapes it saves less: our GJK works on cores without their roundings, where one call after the separating axis mostly tells.',
  );
}

const signedText = (value: number) => `${value < 0 ? '−' : ''}${numberText(Math.abs(value))}`;

function formatsAlike(measured: Measured): Finding {
  const source = 'Figure 6';
  const statement = 'The number format does not affect the number of support calls of either algorithm.';
  const ratios = [GJK, MPR].flatMap((series) =>
    ratiosOf(measured, { ...series, precision: 'float32' }, series, meanCalls).flatMap(({ value }) => value),
  );
  if (ratios.length === 0) return notMeasured(source, statement);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  return judged(
    source,
    statement,
    `Mean calls in float32 over those in float64: ${numberText(least)} to ${numberText(most)}.`,
    least >= 1 - SAME_WITHIN && most <= 1 + SAME_WITHIN,
    'float32 kernels prove sides with wider bounds, and leave to float64 what they cannot prove; its calls count as well.',
  );
}

function quadricsHarder(measured: Measured): Finding {
  const source = 'Figure 6';
  const statement =
    'MPR finds it slightly harder to test shapes of mostly curved surfaces (ellipsoids, box and ellipsoid, cones); GJK does not separate them so clearly.';
  const means = overShapes(measured, (shape) => meanOf(measured, shape, MPR, meanCalls));
  if (means.length < 2) return notMeasured(source, statement);
  const isQuadric = (name: string) => QUADRIC.some((one) => one === name);
  const of = (quadric: boolean) =>
    means.filter(({ shape }) => isQuadric(shape.name) === quadric).map(({ value }) => value);
  return judged(
    source,
    statement,
    `Calls of MPR: ${listText(means)}.`,
    Math.min(...of(true)) > Math.max(...of(false)),
    'Round boxes are flat and curved at once, and to MPR as hard as the others: whether they are one or the other is a matter of the radius.',
  );
}

function worstCase(measured: Measured): Finding {
  const source = 'Figure 7';
  const statement = 'In the worst case MPR uses two to three calls more than GJK, 8 to 16 against 6 to 14.';
  const more = overShapes(measured, (shape) => {
    const [gjk, mpr] = [GJK, MPR].map((series) => meanOf(measured, shape, series, highestCalls));
    return gjk === undefined || mpr === undefined ? undefined : mpr - gjk;
  });
  if (more.length === 0) return notMeasured(source, statement);
  return judged(
    source,
    statement,
    `Of the highest thousandth, calls of MPR less those of GJK: ${listText(more, signedText)}.`,
    more.every(({ value }) => value >= 2 - HALF_CALL && value <= 3 + HALF_CALL),
    'Both stop as soon as the side is proven, and never before. Near touching, GJK narrows its bounds faster than MPR its portal; how much faster depends on the shape.',
  );
}

function sameOrder(measured: Measured): Finding {
  const source = 'Figure 7';
  const statement = 'Ordered by calls in the worst case, shapes come in the same order for GJK and MPR.';
  const [gjk, mpr] = [GJK, MPR].map((series) =>
    overShapes(measured, (shape) => meanOf(measured, shape, series, highestCalls)),
  );
  if (gjk!.length < 2 || mpr!.length < 2) return notMeasured(source, statement);
  const [ofGjk, ofMpr] = [order(gjk!), order(mpr!)];
  return judged(
    source,
    statement,
    `GJK: ${listText(gjk!)}. MPR: ${listText(mpr!)}.`,
    ofGjk.join() === ofMpr.join(),
    'Neighbours in the order differ by little. GJK sees cores without their roundings, which MPR does not.',
  );
}

function mprFaster(measured: Measured): Finding {
  const source = 'Figure 8';
  const statement = 'MPR is faster than GJK in all intersection tests.';
  const ratios = ratiosOf(measured, GJK, MPR, pairSeconds);
  if (ratios.length === 0) return notMeasured(source, statement);
  const text = ratios.map(
    ({ shape, value }) =>
      `${shape.label} ${numberText(Math.min(...value))} to ${numberText(Math.max(...value))}`,
  );
  return judged(
    source,
    statement,
    `Time of GJK over that of MPR: ${text.join(', ')}.`,
    ratios.every(({ value }) => value.every((one) => one > 1)),
    'Both tell most pairs apart after one call, along the line between the centres. GJK then ends early where the side of the margins is certain, as on round shapes, and where the support mapping is cheap, placing the pair is most of the time of either.',
  );
}

function supportDominates(measured: Measured): Finding {
  const source = 'Figure 8';
  const statement =
    'The support mapping dominates: polyhedra, whose 50 points are searched, take significantly longer than all others, though not more calls.';
  const times = overShapes(measured, (shape) => meanOf(measured, shape, MPR, pairSeconds));
  if (times.length < 2) return notMeasured(source, statement);
  const [first] = order(times);
  return judged(
    source,
    statement,
    `Time of MPR per pair: ${listText(times, secondsText)}.`,
    first === 'polyhedron',
    'From 16 vertices on, our polytopes are climbed along edges instead of searched, from a vertex that is known for the direction.',
  );
}

function disagreements(measured: Measured): Finding {
  const source = 'Figure 17';
  const statement =
    'On whether bodies intersect, MPR and GJK disagree in 5 to 10 cases of a million; with depths, about as often as EPA fails.';
  let [disagreeing, pairs] = [0, 0];
  for (const { settings } of measured.shapes) {
    for (const { runs } of settings) {
      const keys = measured.ways.filter(({ algorithm }) => algorithm === 'mpr').map(({ key }) => key);
      for (const run of runs.filter(({ way }) => keys.includes(way))) {
        disagreeing += run.disagreeing;
        pairs += run.checked;
      }
    }
  }
  if (pairs === 0) return notMeasured(source, statement);
  return judged(
    source,
    statement,
    `They disagree on ${disagreeing.toLocaleString('en-US')} of ${pairs.toLocaleString('en-US')} answers.`,
    disagreeing > 0,
    'What an algorithm cannot decide goes to a surer one here instead of being guessed, and every answer was held against a proven reference.',
  );
}
