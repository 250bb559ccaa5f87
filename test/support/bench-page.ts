/** Looks into the benchmark's page, and changes its report. */
import type { BenchReport, RunReport } from '../../src/bench/report.ts';

/** The figure of that id, from its tag to its end. */
export function figureOf(html: string, id: string): string {
  const found = new RegExp(`<figure id="${id}">.*?</figure>`, 's').exec(html);
  if (found === null) throw new Error(`no figure ${id}`);
  return found[0];
}

/** What is read: no tags, no style, no script, entities resolved, alignment blanks dropped. */
export function readable(html: string): string {
  return html
    .replace(/<style>.*?<\/style>|<script>.*?<\/script>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/[\u2007\u2008]/g, '');
}

/** The cells of every row of the tables below a heading of a suite, under its body's name. */
export function tableRows(html: string): { body: string; cells: string[] }[] {
  const rows: { body: string; cells: string[] }[] = [];
  let body = '';
  for (const [row] of html.matchAll(/<tr.*?<\/tr>/gs)) {
    const cells = [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => readable(cell!).trim());
    if (row.startsWith('<tr class="group"')) body = cells[0]!;
    else rows.push({ body, cells });
  }
  return rows;
}

export function suiteHtml(html: string, name: string): string {
  return new RegExp(`<section aria-labelledby="${name}">.*?</section>`, 's').exec(html)![0];
}

/** A report in which something else stands for a suite's runs. */
export function withRuns(
  report: BenchReport,
  change: (run: RunReport) => RunReport | undefined,
): BenchReport {
  return {
    ...report,
    suites: report.suites.map((suite) => ({
      ...suite,
      bodies: suite.bodies.map((body) => ({ ...body, runs: body.runs.flatMap((run) => change(run) ?? []) })),
    })),
  };
}

/** Elements that are not closed in the order in which they were opened. */
export function unclosed(page: string): string[] {
  const wrong: string[] = [];
  const open: string[] = [];
  const content = page.replace(/<(style|script)>.*?<\/\1>/gs, '');
  for (const [, closing, name, alone] of content.matchAll(
    /<(\/?)([a-z][a-zA-Z0-9]*)(?:"[^"]*"|[^">])*?(\/?)>/g,
  )) {
    if (name === 'meta' || alone) continue;
    if (!closing) open.push(name!);
    else if (open.pop() !== name) wrong.push(name!);
  }
  return [...wrong, ...open];
}
