/** Findings about which method takes less time: figures 10 and 15, and the paper's conclusions. */
import { CLEARLY_LONGER } from './constants.ts';
import { countText, digits, gridText, KEYS, notMeasured, type Series } from './paper-cells.ts';
import type { Finding } from './report.ts';

/** A ratio of two times, set-ups included. */
interface Comparison {
  readonly triangles: number;
  readonly points: number;
  readonly ratio: number;
  /** Whether both times were measured as a whole. */
  readonly isMeasured: boolean;
}

/** How many times as long as `other` the `way` takes, for every body of a series. */
function compare(series: Series, way: string, other: string, points: number): Comparison[] {
  return series.triangles.flatMap((triangles) => {
    const [own, theirs] = [series.cell(way, triangles, points), series.cell(other, triangles, points)];
    if (!own || !theirs) return [];
    return [
      {
        ...{ triangles, points, ratio: own.total / theirs.total },
        isMeasured: own.status === 'measured' && theirs.status === 'measured',
      },
    ];
  });
}

/** Marked as the report marks what was extrapolated. */
function ratioText({ ratio, isMeasured }: Comparison): string {
  return `${isMeasured ? '' : '≈'}${digits(ratio)}`;
}

/** The fewest triangles from which on all ratios are above 1. */
function crossingPoint(comparisons: readonly Comparison[]): number | undefined {
  const lastBelow = comparisons.findLastIndex(({ ratio }) => ratio <= 1);
  return comparisons[lastBelow + 1]?.triangles;
}

/** Figure 10 for the smallest or the largest grid. */
export function crossOver(sphere: Series, which: 'fewest' | 'most'): Finding {
  const source = 'Figure 10';
  const points = which === 'fewest' ? sphere.points[0] : sphere.points.at(-1);
  const paper =
    which === 'fewest'
      ? 'On the grid of fewest points, ray crossing takes less time for the five coarser spheres, and the multipole method a little less for the finest.'
      : 'On the grid of most points, ray crossing takes less time for the three coarsest spheres only, and the multipole method much less for fine ones.';
  const wellChosen = points === undefined ? [] : compare(sphere, KEYS.crossing, KEYS.wellChosen, points);
  const preChosen = points === undefined ? [] : compare(sphere, KEYS.crossing, KEYS.preChosen, points);
  const culled = points === undefined ? [] : compare(sphere, KEYS.culled, KEYS.wellChosen, points);
  if (wellChosen.length < 2 || preChosen.length < 2) return notMeasured(source, paper);
  const [coarsest, finest] = [wellChosen[0]!, wellChosen.at(-1)!];
  const agrees = coarsest.ratio <= 1 && finest.ratio > 1;
  const from = (comparisons: readonly Comparison[]) => {
    const triangles = crossingPoint(comparisons);
    return triangles === undefined ? 'for none of the bodies' : `from ${countText(triangles)} triangles on`;
  };
  return {
    source,
    statement: paper,
    measured: `${gridText(points!)} points: testing every triangle takes longer than the multipole method ${from(wellChosen)} with well-chosen depth and ${from(preChosen)} with pre-chosen depth; at ${countText(finest.triangles)} triangles ${ratioText(finest)} times as long as with well-chosen depth. Culled ray crossing takes longer ${from(culled)}.`,
    agrees: agrees ? 'yes' : 'no',
    why: agrees
      ? 'Where the lines cross depends on the machine: ours tests four points and more against a triangle at once, and bounds every value of the multipole method.'
      : 'Kernels test thousands of points at once, and testing a triangle is what they do best; the multipole method has a set-up of many short kernels, and bounds for every value besides. Both move the crossing towards finer bodies, or beyond those that were measured.',
  };
}

export function preChosenAgainstWellChosen(series: Series, source: string): Finding {
  const statement =
    'A depth from the triangles alone sometimes performs worse than one that knows the points too.';
  const all = series.points.flatMap((points) => compare(series, KEYS.preChosen, KEYS.wellChosen, points));
  if (all.length === 0) return notMeasured(source, statement);
  const worse = all.filter(({ ratio }) => ratio > CLEARLY_LONGER);
  const worst = all.reduce((most, one) => (one.ratio > most.ratio ? one : most));
  return {
    source,
    statement,
    measured: `The pre-chosen depth takes more than ${digits(CLEARLY_LONGER)} times as long in ${worse.length} of ${all.length} cases, at worst ${ratioText(worst)} times (${countText(worst.triangles)} triangles, ${gridText(worst.points)} points).`,
    agrees: worse.length > 0 ? 'yes' : 'no',
    why: worse.length > 0 ? '' : 'Both depths are the same, or cost the same, on these bodies.',
  };
}

export function foamComparison(foam: Series): Finding[] {
  const source = 'Figure 15';
  const [fewest, most] = [foam.points[0], foam.points.at(-1)];
  const few =
    'On the grid of fewest points, ray crossing takes less time than the multipole method with pre-chosen depth.';
  const many =
    'On the grid of most points, the multipole method takes much less time than ray crossing, with either depth.';
  const atFew = fewest === undefined ? [] : compare(foam, KEYS.preChosen, KEYS.crossing, fewest);
  const wellChosen = most === undefined ? [] : compare(foam, KEYS.crossing, KEYS.wellChosen, most);
  const preChosen = most === undefined ? [] : compare(foam, KEYS.crossing, KEYS.preChosen, most);
  const list = (comparisons: readonly Comparison[]) =>
    foam.triangles
      .map((triangles) => {
        const one = comparisons.find((own) => own.triangles === triangles);
        return `${one ? ratioText(one) : 'left out'} (${countText(triangles)})`;
      })
      .join(', ');
  const fewAgrees = atFew.every(({ ratio }) => ratio > 1);
  const manyAgrees = [...wellChosen, ...preChosen].every(({ ratio }) => ratio > 1);
  return [
    atFew.length === 0
      ? notMeasured(source, few)
      : {
          source,
          statement: few,
          measured: `${gridText(fewest!)} points: the multipole method takes as many times as long as testing every triangle (by triangles): ${list(atFew)}.`,
          agrees: fewAgrees ? 'yes' : 'no',
          why: fewAgrees
            ? ''
            : 'Testing every triangle is slow enough on this adapter to make up for the set-up.',
        },
    wellChosen.length === 0 || preChosen.length === 0
      ? notMeasured(source, many)
      : {
          source,
          statement: many,
          measured: `${gridText(most!)} points: testing every triangle takes as many times as long (by triangles): with well-chosen depth ${list(wellChosen)}; with pre-chosen depth ${list(preChosen)}.`,
          agrees: manyAgrees ? 'yes' : 'no',
          why: manyAgrees
            ? ''
            : 'The adapter tests triangles faster, against the set-up, than the processor of the paper did.',
        },
  ];
}

const NAMES: Readonly<Record<string, string>> = {
  [KEYS.crossing]: 'ray crossing of all triangles',
  [KEYS.culled]: 'culled ray crossing',
  [KEYS.wellChosen]: 'multipole, well-chosen depth',
  [KEYS.preChosen]: 'multipole, pre-chosen depth',
  [KEYS.gridGpu]: 'cell grid, GPU',
  [KEYS.gridCpu]: 'cell grid, CPU',
};

/** A body of a series and a number of points. */
interface Case {
  readonly triangles: number;
  readonly points: number;
  /** Ways with a time, the one of the least total first. */
  readonly ranked: readonly string[];
}

function casesOf(series: Series): Case[] {
  return series.triangles.flatMap((triangles) =>
    series.points.flatMap((points) => {
      const cells = Object.keys(NAMES).flatMap((way) => {
        const cell = series.cell(way, triangles, points);
        return cell ? [{ way, total: cell.total }] : [];
      });
      const ranked = cells.toSorted((a, b) => a.total - b.total).map(({ way }) => way);
      return ranked.length === 0 ? [] : [{ triangles, points, ranked }];
    }),
  );
}

/** The method of the paper that takes less time: ray crossing of all triangles, or multipole of either depth. */
function papersFaster({ ranked }: Case): string | undefined {
  const papers: readonly string[] = [KEYS.crossing, KEYS.wellChosen, KEYS.preChosen];
  return ranked.find((way) => papers.includes(way));
}

/** The paper's advice on its two methods, and what the fastest way of all was. */
export function whatIsFastest(all: readonly Series[]): Finding {
  const source = 'Section 4';
  const statement =
    'The multipole method has its advantages for bodies of very many faces, and ray crossing is more appropriate for simpler ones.';
  const cases = all.flatMap(casesOf);
  const sizes = cases.map(({ triangles }) => triangles);
  const [simplest, finest] = [Math.min(...sizes), Math.max(...sizes)];
  const simple = cases.filter(({ triangles }) => triangles === simplest).map(papersFaster);
  const fine = cases.filter(({ triangles }) => triangles === finest).map(papersFaster);
  if (simplest >= finest || [...simple, ...fine].includes(undefined)) return notMeasured(source, statement);
  const byCrossing = (ways: readonly (string | undefined)[]) =>
    ways.filter((way) => way === KEYS.crossing).length;
  const agrees = byCrossing(simple) > simple.length / 2 && byCrossing(fine) < fine.length / 2;
  const counts = Object.keys(NAMES)
    .map((way) => ({ way, wins: cases.filter(({ ranked }) => ranked[0] === way).length }))
    .filter(({ wins }) => wins > 0)
    .toSorted((a, b) => b.wins - a.wins);
  const isOther = counts.some(({ way }) => way === KEYS.gridGpu || way === KEYS.gridCpu);
  return {
    source,
    statement,
    measured: `Of the paper's two methods, testing every triangle takes less time on ${byCrossing(simple)} of ${simple.length} grids for ${countText(simplest)} triangles and on ${byCrossing(fine)} of ${fine.length} for ${countText(finest)}. Least time of all ways, set-up included, in ${cases.length} cases of body and points: ${counts.map(({ way, wins }) => `${NAMES[way]} ${wins}`).join(', ')}.`,
    agrees: agrees ? 'yes' : 'no',
    why: [
      agrees
        ? ''
        : 'Kernels test thousands of points at once, and testing a triangle is what they do best; the multipole method has a set-up of many short kernels, and bounds for every value besides.',
      isOther
        ? 'The paper knows no cell grid, which is ray crossing with rays no longer than a cell: after a set-up that grows with the triangles, a point is a look-up or a few tests, however many triangles there are.'
        : '',
    ]
      .filter((reason) => reason !== '')
      .join(' '),
  };
}
