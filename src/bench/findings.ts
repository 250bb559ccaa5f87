/**
 * What Muth, Of, Eberhard and Steinbach say about their figures 7 to 10 and 12 to 15 and table 2 ("Collision Detection for
 * Complicated Polyhedra Using the Fast Multipole Method or Ray Crossing", section 3), beside what was measured here.
 */
import { DOMINATES_FROM, LINEAR_WITHIN } from './constants.ts';
import { crossOver, foamComparison, preChosenAgainstWellChosen, whatIsFastest } from './findings-compared.ts';
import {
  type Cell,
  countText,
  digits,
  gridText,
  KEYS,
  notMeasured,
  Series,
  secondsText,
} from './paper-cells.ts';
import { fittedExponent, lastExponent } from './power-law.ts';
import type { BodyReport, Finding } from './report.ts';

/** Bodies of which an exponent over triangles is fitted: below them, a call takes its time however small the body. */
const LARGEST = 3;

/**
 * Of suite `paper`, whose bodies are the series `sphere` and `foam`.
 *
 * @param quick the bodies are too small and the points too few to tell: figures are given, and no judgement
 */
export function paperFindings(bodies: readonly BodyReport[], quick: boolean): Finding[] {
  const findings = judgedFindings(bodies);
  if (!quick) return findings;
  return findings.map((finding) => ({
    ...finding,
    agrees: 'not measured',
    why: 'A quick run is too small to tell.',
  }));
}

function judgedFindings(bodies: readonly BodyReport[]): Finding[] {
  const sphere = new Series(bodies, 'sphere');
  const foam = new Series(bodies, 'foam');
  return [
    betterThanLinear(sphere, 'Figure 7', 'spheres'),
    fewPointsNearestToLinear(sphere),
    setUpDominates(sphere, 'Figure 8', 'spheres'),
    evaluationLinear(sphere),
    deeperTreeIsFaster(sphere),
    crossingOverTriangles(sphere, 'Figure 9', 'spheres'),
    crossingOverPoints(sphere, 'Figure 9', 'spheres'),
    crossOver(sphere, 'fewest'),
    crossOver(sphere, 'most'),
    preChosenAgainstWellChosen(sphere, 'Figure 10'),
    betterThanLinear(foam, 'Figure 12', 'foams'),
    setUpDominates(foam, 'Figure 13', 'foams'),
    preChosenAgainstWellChosen(foam, 'Figure 13'),
    crossingOverTriangles(foam, 'Figure 14', 'foams'),
    crossingOverPoints(foam, 'Figure 14', 'foams'),
    ...foamComparison(foam),
    whatIsFastest([sphere, foam]),
  ];
}

const isLinear = (exponent: number) => Math.abs(exponent - 1) <= LINEAR_WITHIN;
const exponentText = (exponent: number) => exponent.toFixed(2);
/** For growth with the points: extrapolated times are linear in them by the way they are made. */
const measuredOnly = (cells: readonly Cell[]) => cells.filter(({ status }) => status === 'measured');
const isExtrapolated = ({ status }: Cell) => status === 'extrapolated';

function betterThanLinear(series: Series, source: string, bodies: string): Finding {
  const statement = `With a depth well chosen for triangles and points, the total time of ${bodies} grows less than linearly with either: the depth balances set-up and evaluation.`;
  const overTriangles = series.points.flatMap((points) => {
    const cells = series.overTriangles(KEYS.wellChosen, points).slice(-LARGEST);
    const exponent = fittedExponent(cells.map(({ triangles, total }) => ({ x: triangles, y: total })));
    return exponent === undefined ? [] : [{ points, exponent }];
  });
  const overPoints = series.triangles.slice(-LARGEST).flatMap((triangles) => {
    const cells = series.overPoints(KEYS.wellChosen, triangles);
    const exponent = fittedExponent(cells.map(({ points, total }) => ({ x: points, y: total })));
    return exponent === undefined ? [] : [{ triangles, exponent }];
  });
  if (overTriangles.length === 0 || overPoints.length === 0) return notMeasured(source, statement);
  const n = overTriangles.map(
    ({ points, exponent }) => `N^${exponentText(exponent)} (${gridText(points)} points)`,
  );
  const m = overPoints.map(
    ({ triangles, exponent }) => `M^${exponentText(exponent)} (${countText(triangles)} triangles)`,
  );
  const all = [...overTriangles, ...overPoints];
  const agrees = all.every(({ exponent }) => exponent < 1);
  return {
    source,
    statement,
    measured: `Over the ${LARGEST} finest: ${n.join(', ')}. Over points: ${m.join(', ')}.`,
    agrees: agrees ? 'yes' : 'no',
    why: agrees
      ? ''
      : 'Depths go in whole levels, each with about four times the cells, and ours are those of a cost model: where a step falls between two of these bodies, the time between them steps too. The bounds of every value, which the paper does not have, are part of the set-up and grow with the cells.',
  };
}

function fewPointsNearestToLinear(sphere: Series): Finding {
  const source = 'Figure 7';
  const statement =
    'Of the four grids, the one of fewest points comes nearest to linear growth with the triangles, whose number dominates there.';
  const exponents = sphere.points.map((points) => {
    const cells = sphere.overTriangles(KEYS.wellChosen, points).slice(-LARGEST);
    return {
      points,
      exponent: fittedExponent(cells.map(({ triangles, total }) => ({ x: triangles, y: total }))),
    };
  });
  if (exponents.length < 2 || exponents.some(({ exponent }) => exponent === undefined))
    return notMeasured(source, statement);
  const [first, ...others] = exponents.map(({ exponent }) => Math.abs(1 - exponent!));
  const agrees = others.every((other) => first! <= other);
  const text = exponents.map(({ points, exponent }) => `N^${exponentText(exponent!)} (${gridText(points)})`);
  return {
    source,
    statement,
    measured: `Over the ${LARGEST} finest: ${text.join(', ')}.`,
    agrees: agrees ? 'yes' : 'no',
    why: agrees
      ? ''
      : 'For few points our model chooses trees so shallow that most triangles are near; their boundary edges, which our near field sums up instead of the triangles, grow more slowly than their number.',
  };
}

function setUpDominates(series: Series, source: string, bodies: string): Finding {
  const statement = `With a depth chosen from the triangles alone, the set-up dominates for few points: lines of different grids of ${bodies} nearly touch.`;
  const [fewest, second] = series.points;
  // Where the finest of all was left out, the finest of the others.
  const few = fewest && series.overTriangles(KEYS.preChosen, fewest).at(-1);
  const finest = few ? few.triangles : 0;
  const more = second && series.cell(KEYS.preChosen, finest, second);
  const many = series.cell(KEYS.preChosen, finest, series.points.at(-1)!);
  if (!few || !more || !many) return notMeasured(source, statement);
  const leftOut = series.triangles.filter((triangles) => triangles > finest).map(countText);
  const without = leftOut.length === 0 ? '' : ` (${leftOut.join(', ')} were left out)`;
  const share = few.setUp / few.total;
  const percent = (cell: { setUp: number; total: number }) =>
    `${Math.round((100 * cell.setUp) / cell.total)} %`;
  return {
    source,
    statement,
    measured: `${countText(finest)} triangles${without}: the set-up of ${secondsText(few.setUp)} is ${percent(few)} of the time for ${gridText(few.points)} points and ${percent(many)} for ${gridText(many.points)}; ${gridText(more.points)} points take ${digits(more.total / few.total)} times as long as ${gridText(few.points)}.`,
    agrees: share >= DOMINATES_FROM ? 'yes' : 'no',
    why:
      share >= DOMINATES_FROM
        ? ''
        : 'The set-up runs in kernels on the adapter, and takes little of the time here.',
  };
}

function evaluationLinear(sphere: Series): Finding {
  const source = 'Table 2';
  const statement = 'At a fixed depth, the evaluation grows linearly with the points.';
  const exponents = sphere.triangles.slice(-LARGEST).flatMap((triangles) => {
    const cells = measuredOnly(sphere.overPoints(KEYS.preChosen, triangles));
    const exponent = lastExponent(cells.map(({ points, evaluation }) => ({ x: points, y: evaluation })));
    return exponent === undefined ? [] : [{ triangles, exponent, cells: cells.slice(-2), fewest: cells[0]! }];
  });
  if (exponents.length === 0) return notMeasured(source, statement);
  const least = Math.min(...exponents.map(({ fewest }) => fewest.evaluation));
  const text = exponents.map(
    ({ triangles, exponent, cells }) =>
      `${countText(triangles)} triangles: M^${exponentText(exponent)} from ${cells.map((cell) => gridText(cell.points)).join(' to ')} (${cells.map((cell) => secondsText(cell.evaluation)).join(', ')})`,
  );
  const agrees = exponents.every(({ exponent }) => isLinear(exponent));
  return {
    source,
    statement,
    measured: `${text.join('; ')}.`,
    agrees: agrees ? 'yes' : 'no',
    why: agrees
      ? ''
      : `Points are sorted by cell: the denser they lie, the more of those that are computed side by side share a cell, what is read of it, and the way through the kernel. What a call takes however few its points is ${secondsText(least)} at most.`,
  };
}

function deeperTreeIsFaster(sphere: Series): Finding {
  const source = 'Table 2';
  const statement =
    'The finest sphere is evaluated in less time than the next coarser one, since its tree is deeper by a level.';
  const most = sphere.points.at(-1);
  const [coarser, finest] = most === undefined ? [] : sphere.overTriangles(KEYS.preChosen, most).slice(-2);
  if (!coarser || !finest) return notMeasured(source, statement);
  const text = [coarser, finest].map(
    ({ triangles, evaluation, level }) =>
      `${countText(triangles)} triangles, level ${level}: ${secondsText(evaluation)}`,
  );
  const agrees = finest.evaluation < coarser.evaluation;
  return {
    source,
    statement,
    measured: `${gridText(most!)} points: ${text.join('; ')}.`,
    agrees: agrees ? 'yes' : 'no',
    why: agrees
      ? ''
      : "In the paper the coarser sphere's tree is too shallow, so that its near field dominates. Ours, whose near field is summed up along its boundary and is empty for most leaves, gains little by a deeper tree, which spreads the points over more cells.",
  };
}

function crossingOverTriangles(series: Series, source: string, bodies: string): Finding {
  const statement = `Ray crossing grows linearly with the triangles of ${bodies}.`;
  const most = series.points.at(-1);
  const samplesOf = (way: string) =>
    series.overTriangles(way, most!).map(({ triangles, evaluation }) => ({ x: triangles, y: evaluation }));
  const exponent = most === undefined ? undefined : lastExponent(samplesOf(KEYS.crossing));
  if (exponent === undefined) return notMeasured(source, statement);
  const [from, to] = series.overTriangles(KEYS.crossing, most!).slice(-2);
  const scaled = [from!, to!].some(isExtrapolated) ? ', extrapolated from a part of the points' : '';
  const culled = lastExponent(samplesOf(KEYS.culled));
  const agrees = isLinear(exponent);
  return {
    source,
    statement,
    measured: `Every triangle tested: N^${exponentText(exponent)} from ${countText(from!.triangles)} to ${countText(to!.triangles)} triangles at ${gridText(most!)} points${scaled}.${culled === undefined ? '' : ` Culled, as ours does it by default: N^${exponentText(culled)}.`}`,
    agrees: agrees ? 'yes' : 'no',
    why: agrees
      ? 'By default ours tests only the clusters of triangles that a ray passes, and then grows less than linearly.'
      : 'Small bodies take the time of a call rather than that of their triangles. By default ours tests only the clusters of triangles that a ray passes.',
  };
}

function crossingOverPoints(series: Series, source: string, bodies: string): Finding {
  const statement = `Ray crossing grows linearly with the points, on ${bodies}.`;
  const candidates = series.triangles.map((triangles) =>
    measuredOnly(series.overPoints(KEYS.crossing, triangles)),
  );
  const cells = candidates.reduce(
    (best, own) => (own.length >= 2 && own.length >= best.length ? own : best),
    [],
  );
  const exponent = lastExponent(cells.map(({ points, evaluation }) => ({ x: points, y: evaluation })));
  if (exponent === undefined) return notMeasured(source, statement);
  const [from, to] = cells.slice(-2);
  const agrees = isLinear(exponent);
  return {
    source,
    statement,
    measured: `Every triangle of ${countText(to!.triangles)} tested: M^${exponentText(exponent)} from ${gridText(from!.points)} to ${gridText(to!.points)} points (${secondsText(from!.evaluation)}, ${secondsText(to!.evaluation)}); extrapolated times are left out.`,
    agrees: agrees ? 'yes' : 'no',
    why: agrees ? '' : 'A call takes some time however few its points, which weighs less the more there are.',
  };
}
