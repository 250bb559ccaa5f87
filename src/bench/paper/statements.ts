/**
 * What Muth, Of, Eberhard and Steinbach say about their figures 7 to 10 and 12 to 15 and table 2 ("Collision Detection
 * for Complicated Polyhedra Using the Fast Multipole Method or Ray Crossing", section 3), beside our measurements.
 */
import type { BodyReport, Finding } from '../report.ts';
import { fittedExponent, lastExponent } from '../spread.ts';
import { finding, type Judged } from '../statements.ts';
import { countText, gridText, numberText, secondsText } from '../text.ts';
import { type Cell, KEYS, Series } from './cells.ts';

/** Bodies of which an exponent over triangles is fitted: below them, a call takes its time however small the body. */
const LARGEST = 3;
/**
 * By how much an exponent may differ from 1 for growth that counts as linear. Bodies grow by factors of 4, so times may
 * differ from proportional ones by 4^0.15 = 1.23: a busy machine does that to a call.
 */
const LINEAR_WITHIN = 0.15;
/** From this ratio on, a time counts as longer than another: as much as LINEAR_WITHIN leaves to noise. */
const CLEARLY_LONGER = 4 ** LINEAR_WITHIN;
/** Share of the total time from which on the set-up counts as what dominates it. */
const DOMINATES_FROM = 0.5;
/** Spheres for which the paper has ray crossing faster, on its smallest and its largest grid. */
const FASTER_FOR = { fewest: 5, most: 3 } as const;

/** Of suite `paper`, whose bodies are the series `sphere` and `foam`. */
export function paperStatements(bodies: readonly BodyReport[]): Finding[] {
  const sphere = new Series(bodies, 'sphere');
  const foam = new Series(bodies, 'foam');
  const betterThanLinear = (series: Series, source: string, what: string) =>
    finding(
      source,
      `With a depth chosen for triangles and points, the total time of ${what} grows less than linearly with either.`,
      growthOf(series),
    );
  const dominates = (series: Series, source: string, what: string) =>
    finding(
      source,
      `With a depth chosen from the triangles of ${what} alone, the set-up dominates for few points.`,
      setUpShare(series),
    );
  const preChosen = (series: Series, source: string) =>
    finding(
      source,
      'A depth from the triangles alone sometimes performs worse than one that knows the points too.',
      preChosenWorse(series),
    );
  const crossing = (series: Series, source: string, what: string) => [
    finding(source, `Ray crossing grows linearly with the triangles of ${what}.`, crossingOverTriangles(series)),
    finding(source, `Ray crossing grows linearly with the points, on ${what}.`, crossingOverPoints(series)),
  ];
  return [
    betterThanLinear(sphere, 'Figure 7', 'spheres'),
    finding(
      'Figure 7',
      'Of the four grids, the one of fewest points comes nearest to linear growth with the triangles.',
      nearestToLinear(sphere),
    ),
    dominates(sphere, 'Figure 8', 'spheres'),
    finding('Table 2', 'At a fixed depth, the evaluation grows linearly with the points.', evaluationLinear(sphere)),
    finding(
      'Table 2',
      'The finest sphere is evaluated in less time than the next coarser one, since its tree is deeper by a level.',
      deeperIsFaster(sphere),
    ),
    ...crossing(sphere, 'Figure 9', 'spheres'),
    finding(
      'Figure 10',
      'On the grid of fewest points, ray crossing takes less time for all spheres but the finest.',
      crossOver(sphere, 'fewest'),
    ),
    finding(
      'Figure 10',
      'On the grid of most points, ray crossing takes less time for the three coarsest spheres only.',
      crossOver(sphere, 'most'),
    ),
    preChosen(sphere, 'Figure 10'),
    betterThanLinear(foam, 'Figure 12', 'foams'),
    dominates(foam, 'Figure 13', 'foams'),
    preChosen(foam, 'Figure 13'),
    ...crossing(foam, 'Figure 14', 'foams'),
    finding(
      'Figure 15',
      'On the grid of fewest points, ray crossing takes less time than the multipole method with pre-chosen depth.',
      foamRatios(foam, foam.points[0], KEYS.preChosen, KEYS.crossing),
    ),
    finding(
      'Figure 15',
      'On the grid of most points, the multipole method takes much less time than ray crossing, with either depth.',
      eitherDepth(foam),
    ),
    finding(
      'Section 4',
      'The multipole method has its advantages for bodies of very many faces, ray crossing for simpler ones.',
      whatIsFastest([sphere, foam]),
    ),
  ];
}

const power = (name: string, exponent: number) => `${name}^${exponent.toFixed(2)}`;
const isLinear = (exponent: number) => Math.abs(exponent - 1) <= LINEAR_WITHIN;
const byTriangles = (cells: readonly Cell[], value: (cell: Cell) => number) =>
  cells.map((cell) => ({ x: cell.triangles, y: value(cell) }));
const byPoints = (cells: readonly Cell[], value: (cell: Cell) => number) =>
  cells.map((cell) => ({ x: cell.points, y: value(cell) }));
const totalOf = ({ total }: Cell) => total;
const callOf = ({ evaluation }: Cell) => evaluation;
/** For growth with the points: extrapolated times are linear in them by the way they are made. */
const measuredOnly = (cells: readonly Cell[]) => cells.filter(({ status }) => status === 'measured');

/** Of those sizes that have an exponent. */
const exponentsOf = (sizes: readonly number[], exponentOf: (size: number) => number | undefined) =>
  sizes.flatMap((size) => {
    const exponent = exponentOf(size);
    return exponent === undefined ? [] : [{ size, exponent }];
  });
/** Of well-chosen depth over the finest bodies, for each number of points. */
const exponentsOverTriangles = (series: Series) =>
  exponentsOf(series.points, (points) =>
    fittedExponent(byTriangles(series.overTriangles(KEYS.wellChosen, points).slice(-LARGEST), totalOf)),
  );

function growthOf(series: Series): Judged | undefined {
  const overTriangles = exponentsOverTriangles(series);
  const overPoints = exponentsOf(series.triangles.slice(-LARGEST), (triangles) =>
    fittedExponent(byPoints(series.overPoints(KEYS.wellChosen, triangles), totalOf)),
  );
  if (overTriangles.length === 0 || overPoints.length === 0) return undefined;
  const n = overTriangles.map(({ size, exponent }) => `${power('N', exponent)} (${gridText(size)} points)`);
  const m = overPoints.map(({ size, exponent }) => `${power('M', exponent)} (${countText(size)} triangles)`);
  return {
    measured: `Over the ${LARGEST} finest: ${n.join(', ')}. Over points: ${m.join(', ')}.`,
    agrees: [...overTriangles, ...overPoints].every(({ exponent }) => exponent < 1),
  };
}

function nearestToLinear(sphere: Series): Judged | undefined {
  const exponents = exponentsOverTriangles(sphere);
  if (exponents.length < 2 || exponents.length < sphere.points.length) return undefined;
  const [first, ...others] = exponents.map(({ exponent }) => Math.abs(1 - exponent));
  const text = exponents.map(({ size, exponent }) => `${power('N', exponent)} (${gridText(size)})`);
  return { measured: `Over the ${LARGEST} finest: ${text.join(', ')}.`, agrees: others.every((one) => first! <= one) };
}

function setUpShare(series: Series): Judged | undefined {
  const [fewest, second] = series.points;
  // Where the finest of all was left out, the finest of the others.
  const few = fewest && series.overTriangles(KEYS.preChosen, fewest).at(-1);
  const finest = few ? few.triangles : 0;
  const more = second && series.cell(KEYS.preChosen, finest, second);
  const many = series.cell(KEYS.preChosen, finest, series.points.at(-1) ?? 0);
  if (!few || !more || !many) return undefined;
  const percent = (cell: Cell) => `${Math.round((100 * cell.setUp) / cell.total)} %`;
  return {
    measured:
      `${countText(finest)} triangles: the set-up of ${secondsText(few.setUp)} is ${percent(few)} of the time for ` +
      `${gridText(few.points)} points and ${percent(many)} for ${gridText(many.points)}; ${gridText(more.points)} ` +
      `points take ${numberText(more.total / few.total)} times as long as ${gridText(few.points)}.`,
    agrees: few.setUp / few.total >= DOMINATES_FROM,
  };
}

function evaluationLinear(sphere: Series): Judged | undefined {
  const exponents = sphere.triangles.slice(-LARGEST).flatMap((triangles) => {
    const cells = measuredOnly(sphere.overPoints(KEYS.preChosen, triangles));
    const exponent = lastExponent(byPoints(cells, callOf));
    return exponent === undefined ? [] : [{ triangles, exponent, cells: cells.slice(-2) }];
  });
  if (exponents.length === 0) return undefined;
  const text = exponents.map(({ triangles, exponent, cells }) => {
    const [from, to] = cells.map((cell) => `${secondsText(cell.evaluation)} for ${gridText(cell.points)}`);
    return `${countText(triangles)} triangles: ${power('M', exponent)} (${from}, ${to} points)`;
  });
  return { measured: `${text.join('; ')}.`, agrees: exponents.every(({ exponent }) => isLinear(exponent)) };
}

function deeperIsFaster(sphere: Series): Judged | undefined {
  const most = sphere.points.at(-1);
  const [coarser, finest] = most === undefined ? [] : sphere.overTriangles(KEYS.preChosen, most).slice(-2);
  if (!coarser || !finest) return undefined;
  const text = [coarser, finest].map(
    ({ triangles, evaluation, level }) =>
      `${countText(triangles)} triangles, level ${level}: ${secondsText(evaluation)}`,
  );
  return {
    measured: `${gridText(most!)} points: ${text.join('; ')}.`,
    agrees: finest.evaluation < coarser.evaluation,
  };
}

function crossingOverTriangles(series: Series): Judged | undefined {
  const most = series.points.at(-1) ?? 0;
  const cells = series.overTriangles(KEYS.crossing, most);
  const exponent = lastExponent(byTriangles(cells, callOf));
  if (exponent === undefined) return undefined;
  const [from, to] = cells.slice(-2) as [Cell, Cell];
  const isScaled = [from, to].some(({ status }) => status === 'extrapolated');
  const scaled = isScaled ? ', extrapolated from a part of the points' : '';
  const culled = lastExponent(byTriangles(series.overTriangles(KEYS.culled, most), callOf));
  return {
    measured:
      `Every triangle tested: ${power('N', exponent)} from ${countText(from.triangles)} to ` +
      `${countText(to.triangles)} triangles at ${gridText(most)} points${scaled}.` +
      (culled === undefined ? '' : ` Culled, as ours does it by default: ${power('N', culled)}.`),
    agrees: isLinear(exponent),
  };
}

function crossingOverPoints(series: Series): Judged | undefined {
  const all = series.triangles.map((triangles) => measuredOnly(series.overPoints(KEYS.crossing, triangles)));
  const cells = all.reduce((best, own) => (own.length >= 2 && own.length >= best.length ? own : best), []);
  const exponent = lastExponent(byPoints(cells, callOf));
  if (exponent === undefined) return undefined;
  const [from, to] = cells.slice(-2) as [Cell, Cell];
  return {
    measured:
      `Every triangle of ${countText(to.triangles)} tested: ${power('M', exponent)} from ${gridText(from.points)} to ` +
      `${gridText(to.points)} points (${secondsText(from.evaluation)}, ${secondsText(to.evaluation)}); ` +
      'extrapolated times are left out.',
    agrees: isLinear(exponent),
  };
}

/** How many times as long as `other` the `way` takes, set-ups included, for every body of a series. */
function compare(series: Series, way: string, other: string, points: number) {
  return series.triangles.flatMap((triangles) => {
    const [own, theirs] = [series.cell(way, triangles, points), series.cell(other, triangles, points)];
    if (!own || !theirs) return [];
    const isMeasured = own.status === 'measured' && theirs.status === 'measured';
    const ratio = own.total / theirs.total;
    // Marked as the report marks what was extrapolated.
    return [{ triangles, points, ratio, text: `${isMeasured ? '' : '≈'}${numberText(ratio)}` }];
  });
}

/** Figure 10 for the smallest or the largest grid. */
function crossOver(sphere: Series, which: 'fewest' | 'most'): Judged | undefined {
  const points = (which === 'fewest' ? sphere.points[0] : sphere.points.at(-1)) ?? 0;
  const wellChosen = compare(sphere, KEYS.crossing, KEYS.wellChosen, points);
  const preChosen = compare(sphere, KEYS.crossing, KEYS.preChosen, points);
  const culled = compare(sphere, KEYS.culled, KEYS.wellChosen, points);
  const coarse = FASTER_FOR[which];
  if (wellChosen.length <= coarse || preChosen.length === 0) return undefined;
  const from = (all: typeof wellChosen) => {
    const first = all[all.findLastIndex(({ ratio }) => ratio <= 1) + 1];
    return first === undefined ? 'for none of the bodies' : `from ${countText(first.triangles)} triangles on`;
  };
  const finest = wellChosen.at(-1)!;
  const onlyThree = which === 'fewest' || wellChosen.slice(coarse).every(({ ratio }) => ratio > 1);
  return {
    measured:
      `${gridText(points)} points: testing every triangle takes longer than the multipole method ${from(wellChosen)} ` +
      `with well-chosen depth and ${from(preChosen)} with pre-chosen depth; at ${countText(finest.triangles)} ` +
      `triangles ${finest.text} times as long as with well-chosen depth. ` +
      `Culled ray crossing takes longer ${from(culled)}.`,
    agrees: wellChosen.slice(0, coarse).every(({ ratio }) => ratio <= 1) && onlyThree && finest.ratio > 1,
  };
}

function preChosenWorse(series: Series): Judged | undefined {
  const all = series.points.flatMap((points) => compare(series, KEYS.preChosen, KEYS.wellChosen, points));
  if (all.length === 0) return undefined;
  const worse = all.filter(({ ratio }) => ratio > CLEARLY_LONGER);
  const worst = all.reduce((most, one) => (one.ratio > most.ratio ? one : most));
  return {
    measured:
      `The pre-chosen depth takes more than ${numberText(CLEARLY_LONGER)} times as long in ${worse.length} of ` +
      `${all.length} cases, at worst ${worst.text} times (${countText(worst.triangles)} triangles, ` +
      `${gridText(worst.points)} points).`,
    agrees: worse.length > 0,
  };
}

/** Of every foam: how many times as long as `other` the `way` takes. Agrees where it always takes longer. */
function foamRatios(foam: Series, points = 0, way: string, other: string): Judged | undefined {
  const all = compare(foam, way, other, points);
  if (all.length === 0) return undefined;
  const name = way === KEYS.crossing ? 'testing every triangle' : 'the multipole method';
  const list = all.map(({ text, triangles }) => `${text} (${countText(triangles)} triangles)`).join(', ');
  return {
    measured: `${gridText(points)} points: ${name} takes ${list} times as long.`,
    agrees: all.every(({ ratio }) => ratio > 1),
  };
}

function eitherDepth(foam: Series): Judged | undefined {
  const [well, pre] = [KEYS.wellChosen, KEYS.preChosen].map((way) =>
    foamRatios(foam, foam.points.at(-1), KEYS.crossing, way),
  );
  if (!well || !pre) return undefined;
  const agrees = well.agrees === true && pre.agrees === true;
  return { measured: `With well-chosen depth: ${well.measured} Pre-chosen: ${pre.measured}`, agrees };
}

const NAMES: Readonly<Record<string, string>> = {
  [KEYS.crossing]: 'ray crossing of all triangles',
  [KEYS.culled]: 'culled ray crossing',
  [KEYS.wellChosen]: 'multipole, well-chosen depth',
  [KEYS.preChosen]: 'multipole, pre-chosen depth',
  [KEYS.gridGpu]: 'cell grid, GPU',
  [KEYS.gridCpu]: 'cell grid, CPU',
};
const PAPERS: readonly string[] = [KEYS.crossing, KEYS.wellChosen, KEYS.preChosen];

/** The paper's advice on its two methods, and what the fastest way of all was. */
function whatIsFastest(all: readonly Series[]): Judged | undefined {
  const cases = all.flatMap((series) =>
    series.triangles.flatMap((triangles) =>
      series.points.flatMap((points) => {
        const cells = Object.keys(NAMES).flatMap((way) => {
          const cell = series.cell(way, triangles, points);
          return cell ? [{ way, total: cell.total }] : [];
        });
        const ranked = cells.toSorted((a, b) => a.total - b.total).map(({ way }) => way);
        return ranked.length === 0 ? [] : [{ triangles, ranked }];
      }),
    ),
  );
  const sizes = cases.map(({ triangles }) => triangles);
  const [simplest, finest] = [Math.min(...sizes), Math.max(...sizes)];
  const fasterOf = (size: number) =>
    cases.filter(({ triangles }) => triangles === size).map(({ ranked }) => ranked.find((way) => PAPERS.includes(way)));
  const [simple, fine] = [fasterOf(simplest), fasterOf(finest)];
  if (simplest >= finest || [...simple, ...fine].includes(undefined)) return undefined;
  const byCrossing = (ways: typeof simple) => ways.filter((way) => way === KEYS.crossing).length;
  const counts = Object.entries(NAMES)
    .map(([way, name]) => ({ name, wins: cases.filter(({ ranked }) => ranked[0] === way).length }))
    .filter(({ wins }) => wins > 0)
    .toSorted((a, b) => b.wins - a.wins)
    .map(({ name, wins }) => `${name} ${wins}`);
  return {
    measured:
      `Of the paper's two methods, testing every triangle takes less time on ${byCrossing(simple)} of ` +
      `${simple.length} grids for ${countText(simplest)} triangles and on ${byCrossing(fine)} of ${fine.length} for ` +
      `${countText(finest)}. Least time of all ways, set-up included, in ${cases.length} cases of body and points: ` +
      `${counts.join(', ')}.`,
    agrees: byCrossing(simple) > simple.length / 2 && byCrossing(fine) < fine.length / 2,
  };
}
