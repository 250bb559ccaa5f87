import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { paperChart, paperMarkdown, writePaperFigures } from '../../bench/paper-figures.ts';
import { THEMES } from '../../src/bench/html-style.ts';
import { parseReport } from '../../src/bench/read-report.ts';
import { resultJson } from '../../src/bench/report-json.ts';
import { unclosed } from '../support/bench-page.ts';
import { syntheticReport } from '../support/bench-report.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'scree-paper-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const report = syntheticReport();
const [paper, inside] = report.suites;

describe('the chart for pages', () => {
  const svg = paperChart(report);

  it('names every way but the yardstick, and draws a mark for each of its bodies', () => {
    const shown = paper!.ways.filter(({ kind }) => kind !== 'yardstick');
    for (const { label } of shown) expect(svg).toContain(`>${label}</text>`);
    const most = paper!.bodies
      .filter(({ series }) => series === 'sphere')
      .flatMap(({ runs }) => runs)
      .filter((run) => run.points === 512_000 && run.status !== 'left-out');
    const marks = svg.match(/<g class="tip">/g)!;
    expect(marks).toHaveLength(most.filter(({ way }) => shown.some(({ key }) => key === way)).length);
    expect(svg).toContain('extrapolated');
  });

  it('needs nothing from elsewhere, and has every colour in both themes', () => {
    expect(unclosed(svg)).toEqual([]);
    expect(svg).not.toMatch(/NaN|undefined|href|url\(|<script/);
    const [light, dark] = svg.split('@media (prefers-color-scheme:dark)');
    const used = new Set([...svg.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name!));
    expect(used.size).toBeGreaterThan(5);
    for (const name of used) {
      expect(light).toContain(`--${name}:${THEMES.light[name]};`.slice(0, -1));
      expect(dark).toContain(`--${name}:${THEMES.dark[name]}`);
    }
  });

  it('is refused without the suite', () => {
    expect(() => paperChart({ ...report, suites: [inside!] })).toThrow('suite inside found, expected paper');
    const bare = { ...paper!, bodies: [] };
    expect(() => paperChart({ ...report, suites: [bare] })).toThrow('no spheres found, expected some');
  });
});

describe('the section for docs/benchmarks.md', () => {
  it('has a row of three cells for every finding', () => {
    const rows = paperMarkdown(report)
      .split('\n')
      .filter((line) => line.startsWith('| Figure') || line.startsWith('| Table'));
    expect(rows).toHaveLength(paper!.findings.length);
    for (const row of rows) expect(row.split(' | ')).toHaveLength(3);
  });

  it('is written between its marks, with the chart beside', () => {
    const files = ['report.json', 'chart.svg', 'page.md'].map((name) => join(folder, name));
    const [json, chart, page] = files as [string, string, string];
    writeFileSync(json, resultJson(report));
    writeFileSync(page, 'before\n<!-- bench:paper -->\nold\n<!-- /bench:paper -->\nafter\n');
    writePaperFigures({ report: json, chart, page });
    expect(readFileSync(chart, 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    const text = readFileSync(page, 'utf8');
    expect(text).toMatch(
      /^before\n<!-- bench:paper -->\n[\s\S]*\| Figure 7: [\s\S]*<!-- \/bench:paper -->\nafter\n$/,
    );
    expect(text).not.toContain('old');
  });
});

it('what is committed is of the report beside it', () => {
  const json = readFileSync(join(root, 'docs/benchmarks/paper.json'), 'utf8');
  const committed = parseReport(json, 'paper.json');
  expect(committed).toMatchObject({ quick: false });
  const numbers = (svg: string) => [...svg.matchAll(/<title>(.*?)<\/title>/g)].map(([, tip]) => tip);
  const svg = readFileSync(join(root, 'docs/benchmarks/paper.svg'), 'utf8');
  expect(numbers(svg)).toEqual(numbers(paperChart(committed)));
  expect(readFileSync(join(root, 'docs/benchmarks.md'), 'utf8')).toContain(paperMarkdown(committed));
});
