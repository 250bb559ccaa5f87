/** The chart of README.md and a section of docs/benchmarks.md, from a report of `scree bench`; see scripts/paper-figures.mjs. */
import { FONT, text } from '../src/bench/chart.ts';
import { type ShownSuite, showSuites } from '../src/bench/html-model.ts';
import { seriesRuns, waysAgainstTriangles } from '../src/bench/html-paper-plots.ts';
import { type Swatch, swatchDrawing } from '../src/bench/html-parts.ts';
import { declarations, PAGE_PAINT, THEMES } from '../src/bench/html-style.ts';
import type { BenchReport } from '../src/bench/report.ts';
import { formatCount } from '../src/cli/format.ts';
import { InputError } from '../src/errors.ts';
import {
  type FigureFiles,
  findingsMarkdown,
  headMarkdown,
  machineText,
  writeFigures,
} from './report-page.ts';

const SECTION = 'paper';
const WIDTH = 800;
const MARGIN = 20;
/** Above the chart: title and a line below it. */
const HEAD = 62;
const CHART = { width: 440, height: 362 } as const;
/** Of the legend beside it. */
const LEGEND = { left: MARGIN + CHART.width + 24, top: HEAD + 62, line: 27 } as const;
const BELOW = 34;

/**
 * An SVG for a page that is light or dark: figure 10 of the source paper for the most points, with every way.
 *
 * @throws InputError if the report has no suite `paper` with spheres.
 */
export function paperChart(report: BenchReport): string {
  const shown = paperSuite(report);
  const own = seriesRuns(shown.suite, 'sphere');
  const most = Math.max(...own.runs.map(({ run }) => run.points));
  if (own.runs.length === 0) throw new InputError('suite paper: no spheres found, expected some');
  const { chart, legend } = waysAgainstTriangles(shown, most, own);
  const sizes = own.bodies.map(({ triangles }) => triangles);
  const title = `${formatCount(most)} points, in a body of ${formatCount(sizes[0]!)} to ${formatCount(sizes.at(-1)!)} triangles`;
  const height = HEAD + CHART.height + BELOW;
  const faint = `fill="${PAGE_PAINT.faintInk}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="${FONT}" font-size="13.5" fill="${PAGE_PAINT.ink}">`,
    `<style>:root{${declarations(THEMES.light)}}@media (prefers-color-scheme:dark){:root{${declarations(THEMES.dark)}}}</style>`,
    `<title>${title}: seconds of set-up and evaluation by each method</title>`,
    `<rect width="${WIDTH}" height="${height}" rx="6" fill="${PAGE_PAINT.background}"/>`,
    text(MARGIN, 32, title, 'font-size="18" font-weight="600"'),
    text(MARGIN, 53, 'Spheres, after figure 10 of Muth et al.; both axes are logarithmic.', faint),
    `<g transform="translate(${MARGIN} ${HEAD})">`,
    chart,
    '</g>',
    ...legend.flatMap(legendLine),
    text(MARGIN, height - 14, machineText(report), `${faint} font-size="12"`),
    '</svg>\n',
  ].join('\n');
}

function legendLine(swatch: Swatch, i: number): string[] {
  const { left, top, line } = LEGEND;
  const y = top + line * i;
  return [
    `<g transform="translate(${left} ${y - 11.5})">${swatchDrawing(swatch)}</g>`,
    text(left + 38, y, swatch.name),
  ];
}

function paperSuite(report: BenchReport): ShownSuite {
  const shown = showSuites(report).find(({ suite }) => suite.name === 'paper');
  if (shown !== undefined) return shown;
  const found = report.suites.map(({ name }) => name).join(', ') || 'none';
  throw new InputError(`suite ${found} found, expected paper`);
}

/** What the paper says and what was found, as Markdown. @throws InputError if the report has no suite `paper`. */
export function paperMarkdown(report: BenchReport): string {
  const { findings } = paperSuite(report).suite;
  return [headMarkdown(report), '', findingsMarkdown('the paper', findings)].join('\n');
}

/** @throws InputError for what is no report of suite `paper`, or a page without marks; ScreeError if a file cannot be written. */
export function writePaperFigures(files: FigureFiles): void {
  writeFigures(files, SECTION, paperChart, paperMarkdown);
}
