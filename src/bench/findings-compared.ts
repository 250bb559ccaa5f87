/** Findings about which method takes less time: figures 10 and 15, and the paper's conclusions. */
import { type Cell, countText, digits, gridText, KEYS, notMeasured, type Series } from './paper-cells.ts';
import type { Finding } from './report.ts';

/** A ratio of two times, set-ups included. */
interface Comparison {
  readonly triangles: number;
  readonly points: number;
  readonly ratio: number;
}

/** How many times as long as `other` the `way` takes, for every body of a series. */
function compare(series: Series, way: string, other: string, points: number): Comparison[] {
  return series.triangles.flatMap((triangles) => {
    const [own, theirs] = [series.cell(way, triangles, points), series.cell(other, triangles, points)];
    return own && theirs ? [{ triangles, points, ratio: own.total / theirs.total }] : [];
  });
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
    return triangles === undefined ? 'nowhere' : `from ${countText(triangles)} triangles on`;
  };
  return {
    source,
    statement: paper,
    measured: `${gridText(points!)} points: testing every triangle takes longer than the multipole method ${from(wellChosen)} with well-chosen depth and ${from(preChosen)} with pre-chosen depth; at ${countText(finest.triangles)} triangles ${digits(finest.ratio)} times as long as with well-chosen depth. Culled ray crossing takes longer ${from(culled)}.`,
    agrees: agrees ? 'yes' : 'no',
    why: agrees
      ? 'Where the lines cross depends on the machine: ours tests four points and more against a triangle at once, and bounds every value of the multipole method.'
      : 'Kernels test thousands of points at once, and testing a triangle is what they do best; the multipole method has a set-up of many short kernels, and bounds for every value besides. Both move the crossing towards finer bodies, or beyond those that were measured.',
  };
}

export function preChosenAgainstWellChosen(sphere: Series): Finding {
  const source = 'Figure 10';
  const statement =
    'A depth from the triangles alone sometimes performs worse than one that knows the points too.';
  const all = sphere.points.flatMap((points) => compare(sphere, KEYS.preChosen, KEYS.wellChosen, points));
  if (all.length === 0) return notMeasured(source, statement);
  const worse = all.filter(({ ratio }) => ratio > 1);
  const worst = all.reduce((most, one) => (one.ratio > most.ratio ? one : most));
  return {
    source,
    statement,
    measured: `The pre-chosen depth takes longer in ${worse.length} of ${all.length} cases, at worst ${digits(worst.ratio)} times as long (${countText(worst.triangles)} triangles, ${gridText(worst.points)} points).`,
    agrees: worse.length > 0 ? 'yes' : 'no',
    why: worse.length > 0 ? '' : 'Both depths are the same on these bodies.',
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
    comparisons.map(({ triangles, ratio }) => `${digits(ratio)} (${countText(triangles)})`).join(', ');
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

/** The paper's advice, beside what the fastest way was. */
export function whatIsFastest(all: readonly Series[]): Finding {
  const source = 'Section 4';
  const statement =
    'The multipole method has its advantages for bodies of very many faces, and ray crossing is more appropriate for simpler ones.';
  const winners = all.flatMap((series) =>
    series.triangles.flatMap((triangles) =>
      series.points.flatMap((points) => {
        const cells = Object.keys(NAMES).flatMap((way): { way: string; cell: Cell }[] => {
          const cell = series.cell(way, triangles, points);
          return cell ? [{ way, cell }] : [];
        });
        const best = cells.toSorted((a, b) => a.cell.total - b.cell.total)[0];
        return best ? [best.way] : [];
      }),
    ),
  );
  if (winners.length === 0) return notMeasured(source, statement);
  const counts = Object.keys(NAMES)
    .map((way) => ({ way, wins: winners.filter((winner) => winner === way).length }))
    .filter(({ wins }) => wins > 0)
    .toSorted((a, b) => b.wins - a.wins);
  const papers = new Set<string>([KEYS.crossing, KEYS.culled, KEYS.wellChosen, KEYS.preChosen]);
  const agrees = winners.every((way) => papers.has(way));
  return {
    source,
    statement,
    measured: `Least time, set-up included, in ${winners.length} cases of body and points: ${counts.map(({ way, wins }) => `${NAMES[way]} ${wins}`).join(', ')}.`,
    agrees: agrees ? 'yes' : 'no',
    why: agrees
      ? ''
      : 'The paper knows no cell grid, which is ray crossing with rays no longer than a cell: after a set-up that grows with the triangles, a point is a look-up or a few tests, however many triangles there are.',
  };
}
