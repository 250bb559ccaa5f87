/** Suite `paper`: the figures 7 to 10 and 12 to 15 and table 2 of Muth et al. beside what the paper says of them. */
import { ascending, SERIES_LABELS, type ShownSuite, waysOf } from './html-model.ts';
import {
  againstTriangles,
  evaluationAgainstPoints,
  type Series,
  type SeriesRuns,
  seriesRuns,
  spreadOut,
  waysAgainstTriangles,
} from './html-paper-plots.ts';
import { figure, findingCard, paragraph } from './html-parts.ts';
import { evaluationTable } from './html-table-two.ts';
import { capitalized, countText, escapeHtml } from './html-text.ts';
import type { Finding, SuiteReport, WayReport } from './report.ts';

const ROLES = {
  'well-chosen': { pattern: /well-chosen/, title: 'multipole, well-chosen depth' },
  'pre-chosen': { pattern: /pre-chosen/, title: 'multipole, pre-chosen depth' },
  'ray-crossing': { pattern: /^ray-crossing/, title: 'ray crossing' },
} as const;
type Role = keyof typeof ROLES;

/** Numbers of the paper's figures. */
const FIGURES: Readonly<Record<Series, Readonly<Record<Role | 'comparison', number>>>> = {
  sphere: { 'well-chosen': 7, 'pre-chosen': 8, 'ray-crossing': 9, comparison: 10 },
  foam: { 'well-chosen': 12, 'pre-chosen': 13, 'ray-crossing': 14, comparison: 15 },
};
const TABLE = 'table 2';
/** Lines of growth in M, of ray crossing and of table 2. */
const MOST_SIZES = 4;
const TABLE_SIZES = 3;

const INTRODUCTION = [
  'After Muth, Of, Eberhard and Steinbach, section 3: bodies of N triangles, M points on a cubic grid. Time is that of set-up and evaluation together, as in the paper, unless a chart says otherwise: medians, with whiskers from the least to the most of the repetitions.',
  'The paper timed programs in C on a 2.8 GHz PC, this report what stands above: shapes of curves compare, seconds do not.',
];

export function paperSections(shown: ShownSuite): string[] {
  const { suite } = shown;
  const places = [
    ...Object.values(FIGURES)
      .flatMap((of) => Object.values(of))
      .map((n) => `figure ${n}`),
    TABLE,
  ];
  const others = suite.findings.filter(
    (finding) => !placesOf(finding).some((place) => places.includes(place)),
  );
  return [
    ...INTRODUCTION.map((line) => paragraph(line)),
    ...(['sphere', 'foam'] as const).flatMap((series) => seriesSections(shown, seriesRuns(suite, series))),
    ...(others.length === 0 ? [] : ['<h3>Other statements of the paper</h3>', ...others.map(findingCard)]),
  ];
}

/** `figure 10`, `figure 15` and `table 2` of `Figures 10 and 15, Table 2`. */
function placesOf({ source }: Finding): string[] {
  let kind = '';
  const places: string[] = [];
  for (const [word] of source.toLowerCase().matchAll(/fig|table|section|\d+/g)) {
    if (!/\d/.test(word)) kind = word === 'fig' ? 'figure' : word;
    else places.push(`${kind} ${word}`);
  }
  return places;
}

function seriesSections(shown: ShownSuite, own: SeriesRuns): string[] {
  const { series, bodies } = own;
  const numbers = FIGURES[series];
  const name = SERIES_LABELS[series];
  const heading = capitalized(name);
  const sizes = bodies.map(({ triangles }) => countText(triangles)).join(' / ');
  return [
    `<h3>${heading}</h3>`,
    paragraph(
      bodies.length === 0 ? `This run had no ${name}.` : `${heading} of ${sizes} triangles.`,
      'faint',
    ),
    roleFigure(shown, own, 'well-chosen', numbers['well-chosen']),
    roleFigure(shown, own, 'pre-chosen', numbers['pre-chosen']),
    ...(series === 'sphere' ? [tableTwo(shown, own)] : []),
    roleFigure(shown, own, 'ray-crossing', numbers['ray-crossing']),
    comparisonFigure(shown, own, numbers.comparison),
    othersFigure(shown, own),
  ];
}

/** A figure or table with the statements that are about it: beside one chart, below several. */
function withStatements(
  { title, place, plots }: { readonly title: string; readonly place: string; readonly plots: number },
  { findings }: SuiteReport,
  content: string,
  aside = '',
): string {
  const own = findings.filter((finding) => placesOf(finding).includes(place));
  const says =
    own.length === 0
      ? paragraph('No statement of the paper was held against this in this run.', 'faint')
      : own.map(findingCard).join('\n');
  const heading = `<h4>${escapeHtml(title)}</h4>`;
  return plots > 1
    ? `${heading}\n${content}\n<div class="below">${says}${aside}</div>`
    : `${heading}\n<div class="beside">\n<div>${content}</div>\n<div>${says}${aside}</div>\n</div>`;
}

function waysIn(suite: SuiteReport, role: Role): WayReport[] {
  return waysOf(suite).filter(({ key, kind }) => kind === 'scree' && ROLES[role].pattern.test(key));
}

function roleFigure(shown: ShownSuite, own: SeriesRuns, role: Role, number: number): string {
  const ways = waysIn(shown.suite, role);
  const againstN = ways.map((way) => againstTriangles(way, own));
  // Of ray crossing the paper says that it is linear in both.
  const againstM =
    role === 'ray-crossing'
      ? ways.map((way) => evaluationAgainstPoints(way, own, (sizes) => spreadOut(sizes, MOST_SIZES)))
      : [];
  const plots = [...againstN, ...againstM];
  const both = 'a line for each number of points M; then evaluation alone against M, a line for each N.';
  return withStatements(
    { title: `Figure ${number}: ${ROLES[role].title}`, place: `figure ${number}`, plots: plots.length },
    shown.suite,
    figure({
      id: `figure-${number}`,
      plots,
      shared: againstM.length === 0,
      caption: `Time against the number of triangles N, ${againstM.length === 0 ? 'a line for each number of points M.' : both}`,
    }),
  );
}

function tableTwo({ suite }: ShownSuite, own: SeriesRuns): string {
  const ways = waysIn(suite, 'pre-chosen');
  const plots = ways.map((way) => evaluationAgainstPoints(way, own, (sizes) => sizes.slice(-TABLE_SIZES)));
  return withStatements(
    { title: 'Table 2: evaluation alone, pre-chosen depth', place: TABLE, plots: plots.length },
    suite,
    figure({
      id: 'table-2',
      plots,
      shared: true,
      caption: 'Evaluation alone against the number of points M, a line for each of the largest N.',
    }),
    ways.map((way) => evaluationTable(way, own.runs)).join('\n'),
  );
}

function comparisonFigure(shown: ShownSuite, own: SeriesRuns, number: number): string {
  const sizes = ascending(own.runs.map(({ run }) => run.points));
  const ends = ascending([...sizes.slice(0, 1), ...sizes.slice(-1)]);
  return withStatements(
    {
      title: `Figure ${number}: the approaches compared`,
      place: `figure ${number}`,
      plots: ends.length,
    },
    shown.suite,
    figure({
      id: `figure-${number}`,
      plots: ends.map((points) => waysAgainstTriangles(shown, points, own)),
      shared: true,
      caption: 'Time against the number of triangles N, for the smallest and the largest number of points M.',
    }),
  );
}

/** Ways that are in none of the paper's figures. */
function othersFigure({ suite }: ShownSuite, own: SeriesRuns): string {
  const known = Object.values(ROLES).map(({ pattern }) => pattern);
  const plots = waysOf(suite)
    .filter(({ key, kind }) => kind !== 'yardstick' && !known.some((pattern) => pattern.test(key)))
    .map((way) => againstTriangles(way, own))
    .filter(({ chart }) => chart !== '');
  if (plots.length === 0) return '';
  const drawn = figure({
    id: `beyond-${own.series}`,
    plots,
    shared: true,
    caption: 'Time against the number of triangles N on the axes of the figures above, a line for each M.',
  });
  return `<h4>Beyond the paper</h4>\n${drawn}`;
}
