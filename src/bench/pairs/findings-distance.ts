/** The thesis about distances (figures 13 to 16), beside what was measured here. */
import { secondsText } from '../html-text.ts';
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
  type Series,
} from './figures.ts';
import { leftToSurer } from './findings-failures.ts';
import type { PairShapeReport } from './pairs-report.ts';

const EPA: Series = { algorithm: 'gjk', precision: 'float64', question: 'penetration' };
const DISTANCE: Series = { ...EPA, question: 'distance' };

export function distanceFindings(measured: Measured): Finding[] {
  return [
    leftToSurer(measured, 'Figure 13', 'distance'),
    separation(measured),
    falling(measured),
    sixTimes(measured),
    complexity(measured),
    times(measured),
  ];
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
