/** A benchmark's report as one HTML file: it asks for nothing from elsewhere and needs no script to be read. */
import { insideSections } from './html-inside.ts';
import { type ShownSuite, showSuites } from './html-model.ts';
import { paperSections } from './html-paper.ts';
import { bullets, paragraph } from './html-parts.ts';
import { PATTERNS, STYLE } from './html-style.ts';
import { machineSection, notes, SUITE_TITLES, suiteExtent, summarySection } from './html-summary.ts';
import { suiteTables } from './html-tables.ts';
import { adapterName, dateText, escapeHtml } from './html-text.ts';
import { PAIRS_TITLE, pairsSections } from './pairs/html-pairs.ts';
import type { BenchReport } from './report.ts';

/** An extra: the reader's system chooses the theme, and this button the other one. It stays hidden without scripts. */
const SCRIPT = `
const button = document.getElementById('theme');
const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
const show = () => { button.textContent = isDark() ? 'Light theme' : 'Dark theme'; };
button.addEventListener('click', () => { root.dataset.theme = isDark() ? 'light' : 'dark'; show(); });
system.addEventListener('change', show);
button.hidden = false;
show();
`;

/** The page itself is told to load nothing, whatever a name in it looks like. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/**
 * The report as an HTML document: machine, remarks, main findings, charts and all tables. It follows the reader's light or
 * dark theme and fits a phone.
 */
export function reportHtml(report: BenchReport): string {
  const suites = showSuites(report);
  const remarks = notes(report);
  const title = `scree bench, ${dateText(report.date)}, ${adapterName(report.environment.adapter)}`;
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    `<title>${escapeHtml(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    PATTERNS,
    head(report, suites),
    '<main>',
    remarks.length === 0
      ? ''
      : `<section class="notes" aria-labelledby="notes"><h2 id="notes">Before reading</h2>${bullets(remarks)}</section>`,
    section('summary', 'Main findings', [summarySection(report, suites)]),
    section('machine', 'Machine, versions, commands', [machineSection(report)]),
    ...suites.map(suiteSection),
    report.pairs === undefined ? '' : section('pairs', PAIRS_TITLE, pairsSections(report.pairs)),
    '<footer>',
    paragraph(
      'Units: 1 k = 10³, 1 M = 10⁶, 1 MB = 10⁶ bytes. Numbers have three significant digits. All that was measured stands in report.json beside this file, with six digits.',
    ),
    '</footer>',
    '</main>',
    `<script>${SCRIPT}</script>`,
    '</body>',
    '</html>\n',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function head(report: BenchReport, suites: readonly ShownSuite[]): string {
  const { environment, date, quick } = report;
  const { adapter, runtime, versions } = environment;
  const scree = versions.scree === undefined ? 'scree' : `scree ${versions.scree}`;
  const links = [
    ['summary', 'Main findings'],
    ['machine', 'Machine'],
    ...suites.map(({ suite }) => [suite.name, SUITE_TITLES[suite.name]] as const),
    ...(report.pairs === undefined ? [] : [['pairs', PAIRS_TITLE] as const]),
  ] as const;
  return [
    '<header class="top">',
    `<div><h1>scree benchmark${quick ? ', quick run' : ''}</h1>`,
    paragraph(
      `${scree}, ${runtime}, ${adapterName(adapter)} (${adapter.software ? 'software' : 'hardware'} adapter), ${dateText(date)}`,
      'sub',
    ),
    `<nav aria-label="Contents"><ul>${links.map(([id, name]) => `<li><a href="#${id}">${escapeHtml(name)}</a></li>`).join('')}</ul></nav></div>`,
    '<button type="button" id="theme" hidden>Theme</button>',
    '</header>',
  ].join('\n');
}

function section(id: string, title: string, content: readonly string[]): string {
  return `<section aria-labelledby="${id}">\n<h2 id="${id}">${escapeHtml(title)}</h2>\n${content.filter((part) => part !== '').join('\n')}\n</section>`;
}

function suiteSection(shown: ShownSuite): string {
  const { name, bodies } = shown.suite;
  const extent = suiteExtent(shown);
  return section(name, SUITE_TITLES[name], [
    extent === '' ? '' : paragraph(extent, 'faint'),
    ...(bodies.length === 0 && name !== 'paper'
      ? ['<p class="nothing">This suite holds no body: nothing was measured.</p>']
      : name === 'paper'
        ? paperSections(shown)
        : insideSections(shown)),
    ...suiteTables(shown),
  ]);
}
