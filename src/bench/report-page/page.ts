/**
 * A benchmark's report as one HTML file that loads nothing: main findings, a chart for each suite, and folded below it
 * the rest. Tables and text need no script; the script in the page (`draw.ts`) draws the charts.
 */
import type { BenchReport, Finding } from '../report.ts';
import { SUITES, type SuiteName } from '../suite-names.ts';
import { machineOf, notesOf, summaryOf } from '../summary.ts';
import { adapterText, capitalized, dateText, escapeHtml } from '../text.ts';
import { showContacts } from './contacts.ts';
import { showDem } from './dem.ts';
import { showDistance } from './distance.ts';
import { showPairs } from './pairs.ts';
import { details, foldedTable, paragraph, VERDICTS } from './parts.ts';
import { type Shown, showPoints } from './points.ts';
import { showStacks } from './stacks.ts';
import { STYLE } from './style.ts';

/** The page itself is told to load nothing, whatever a name in it looks like. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const FOOTER =
  'Medians of repetitions. 1 k = 10³, 1 M = 10⁶, 1 MB = 10⁶ bytes. Three significant digits; report.json has six.';

/** @param script that draws the charts, as `vite build --mode charts` bundles it */
export function reportHtml(report: BenchReport, script: string): string {
  const { environment, date, quick, suites, pairs, contacts, dem, stacks, distance } = report;
  const version = environment.versions.scree === undefined ? 'scree' : `scree ${environment.versions.scree}`;
  const adapter = `${adapterText(environment.adapter)} adapter`;
  const title = `scree bench, ${dateText(date)}, ${adapter}`;
  const notes = notesOf(report).map((note) => `<li>${escapeHtml(note)}</li>`);
  const tiles = summaryOf(report).map(
    ([value, meaning]) => `<li><b>${escapeHtml(value)}</b><span>${escapeHtml(meaning)}</span></li>`,
  );
  const order = Object.keys(SUITES);
  const sections = [
    ...suites.map((suite) => ({ name: suite.name, findings: suite.findings, shown: showPoints(suite) })),
    ...(pairs === undefined ? [] : [{ name: 'pairs' as const, findings: pairs.findings, shown: showPairs(pairs) }]),
    ...(contacts === undefined
      ? []
      : [{ name: 'contacts' as const, findings: contacts.findings, shown: showContacts(contacts) }]),
    ...(dem === undefined ? [] : [{ name: 'dem' as const, findings: dem.findings, shown: showDem(dem) }]),
    ...(stacks === undefined
      ? []
      : [{ name: 'stacks' as const, findings: stacks.findings, shown: showStacks(stacks) }]),
    ...(distance === undefined
      ? []
      : [{ name: 'distance' as const, findings: distance.findings, shown: showDistance(distance) }]),
  ].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
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
    '<header class="top">',
    `<div><h1>scree benchmark${quick ? ', quick run' : ''}</h1>`,
    paragraph(`${version}, ${environment.runtime}, ${adapter}, ${dateText(date)}`),
    '</div>',
    '<button type="button" id="theme" hidden>Theme</button>',
    '</header>',
    '<main>',
    notes.length === 0 ? '' : `<section class="notes" aria-label="Before reading"><ul>${notes.join('')}</ul></section>`,
    tiles.length === 0 ? '' : `<ul class="tiles">${tiles.join('')}</ul>`,
    '<noscript><p>Charts need a script. Without one, the tables have all that was measured.</p></noscript>',
    ...sections.map((one) => section(one.name, quick && one.name !== 'distance' ? [] : one.findings, one.shown)),
    machineSection(report),
    `<footer>${paragraph(FOOTER)}</footer>`,
    '</main>',
    // What would end the script in the page is escaped as texts in scripts are.
    `<script>${script.replace(/<\/(?=script)/gi, '<\\/')}</script>`,
    '</body>',
    '</html>\n',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function section(name: SuiteName, findings: readonly Finding[], { charts, tables, notes = '' }: Shown) {
  const title = SUITES[name];
  const [first = '', ...others] = charts.filter((one) => one !== '');
  const said = findings.length === 0 ? '' : statements(findings);
  const folded = [said, notes, details('More charts', ...others), details('All figures in tables', ...tables)];
  const content = [first, ...folded].filter((part) => part !== '');
  return [
    `<section aria-labelledby="${escapeHtml(name)}">`,
    `<h2 id="${escapeHtml(name)}">${escapeHtml(title)}</h2>`,
    ...(content.length === 0 ? [paragraph('Nothing was measured.')] : content),
    '</section>',
  ].join('\n');
}

/** What a paper says, beside what was measured here. */
function statements(findings: readonly Finding[]): string {
  const holding = findings.filter(({ agrees }) => agrees === 'yes').length;
  const judged = holding + findings.filter(({ agrees }) => agrees === 'no').length;
  const rows = findings.map((one) => [one.source, one.statement, one.measured, VERDICTS[one.agrees]]);
  return foldedTable(
    `Statements beside measurements: ${holding} of ${judged} hold here`,
    'What the source says, in our words; what was measured; and whether it is as stated.',
    { columns: ['source', '@statement', '@measured here', '@verdict'], groups: [{ rows }] },
  );
}

function machineSection(report: BenchReport): string {
  const facts = machineOf(report).map(([name, value]) =>
    name === 'command' ? '' : `<div><dt>${escapeHtml(capitalized(name))}</dt><dd>${escapeHtml(value)}</dd></div>`,
  );
  const commands = report.commands.map(escapeHtml).join('\n');
  const again = commands === '' ? '' : `<p>Run it again:</p><pre tabindex="0"><code>${commands}</code></pre>`;
  const folded = details('The machine and how to repeat the run', `<dl>${facts.join('')}</dl>`, again);
  const head = '<section aria-labelledby="machine">\n<h2 id="machine">Machine, versions, commands</h2>';
  return `${head}\n${folded}\n</section>`;
}
