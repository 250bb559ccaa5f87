import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { pairsChart, pairsMarkdown, writePairsFigures } from '../../bench/pairs-figures.ts';
import type { PairRunReport } from '../../src/bench/pairs/pairs-report.ts';
import { parseReport } from '../../src/bench/read-report.ts';
import type { BenchReport } from '../../src/bench/report.ts';
import { resultJson } from '../../src/bench/report-json.ts';
import { unclosed } from '../support/bench-page.ts';
import { sampleReport } from './sample-report.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'scree-pairs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const json = readFileSync(join(root, 'docs/benchmarks/pairs.json'), 'utf8');
const committed = parseReport(json, 'pairs.json');
const { shapes, ways, findings } = committed.pairs!;

/** The report with other runs. */
const withRuns = (change: (run: PairRunReport) => PairRunReport): BenchReport => ({
  ...committed,
  pairs: {
    ...committed.pairs!,
    shapes: shapes.map((shape) => ({
      ...shape,
      settings: shape.settings.map((setting) => ({ ...setting, runs: setting.runs.map(change) })),
    })),
  },
});
const rowOf = (report: BenchReport, start: string) =>
  pairsMarkdown(report)
    .split('\n')
    .find((line) => line.startsWith(`| ${start}`))!;

describe('the chart', () => {
  const svg = pairsChart(committed);

  it('has a bar of each way about each shape and question', () => {
    const shown = ['auto-cpu', 'auto-cpu-1', 'auto-cpu-coarse', 'auto-gpu', 'rapier'];
    for (const { label } of ways.filter(({ key }) => shown.includes(key)))
      expect(svg).toContain(`>${label}</text>`);
    const bars = shapes.flatMap(({ settings }) => {
      const asked = settings[0]!.runs.filter(
        ({ way, question }) => shown.includes(way) && question !== 'distance',
      );
      return asked;
    });
    // Six ways but for Rapier's ellipsoids, three questions; one of a tolerance is asked two.
    expect(bars.length).toBe(6 * (3 + 3 + 2 + 3) + 4 * 3);
    expect(svg.match(/stroke-width="1.4"\/>/g)!.length).toBeGreaterThanOrEqual(bars.length);
    expect(unclosed(svg)).toEqual([]);
    expect(svg).not.toMatch(/NaN|undefined|Infinity|href|<script/);
    expect(svg).toContain(committed.date.slice(0, 10));
  });

  it('is refused without the suite', () => {
    const none = sampleReport([]);
    expect(() => pairsChart(none)).toThrow('suite paper found, expected pairs');
    const bare = { ...none, pairs: { ways, findings, shapes: [] } };
    expect(() => pairsChart(bare)).toThrow('suite pairs: no shapes found, expected some');
  });
});

describe('what was aimed at', () => {
  it('is reached or not by what the report says', () => {
    const times = (ratioToPeer: number) =>
      withRuns((run) => ({ ...run, ratioToPeer: run.ratioToPeer > 0 ? ratioToPeer : 0 }));
    const aim = 'CPU, 2 threads: 5 times Rapier on every shape, depth';
    expect(rowOf(times(5.5), aim)).toMatch(/\| boxes 5\.5, round boxes 5\.5, .* \| yes \|$/);
    expect(rowOf(times(4.9), aim)).toMatch(/ \| no \|$/);
    let first = true;
    const some = withRuns((run) => {
      const ratio = run.way === 'auto-cpu' && run.question === 'penetration' && run.ratioToPeer > 0 ? 9 : 1;
      return { ...run, ratioToPeer: run.ratioToPeer > 0 ? ratio : 0 };
    });
    expect(rowOf(some, aim)).toMatch(/ \| yes \|$/);
    const software = 'software WebGPU: 2 times Rapier on every shape, intersect';
    expect(rowOf(some, software)).toMatch(/ \| no \|$/);
    const wrong = withRuns((run) => {
      const isFirst = first && run.way === 'auto-cpu';
      if (isFirst) first = false;
      return { ...run, wrong: isFirst ? 1 : 0 };
    });
    expect(rowOf(committed, 'no pair on the wrong side')).toMatch(/ \| yes \|$/);
    expect(rowOf(wrong, 'no pair on the wrong side')).toMatch(/\| 1 of [\d,]+ .* \| no \|$/);
  });

  it('on hardware is not measured by software', () => {
    const aim = 'hardware GPU: 100,000,000 pairs of boxes/s';
    expect(rowOf(committed, aim)).toContain('| not measured: the adapter is software |');
    const { environment } = committed;
    const hardware = (perSecond: number): BenchReport => ({
      ...withRuns((run) => ({
        ...run,
        pairsPerSecond: { min: perSecond, median: perSecond, max: perSecond, runs: 3 },
      })),
      environment: { ...environment, adapter: { ...environment.adapter, software: false } },
    });
    expect(rowOf(hardware(2e8), aim)).toMatch(/\| 200,000,000 at most \| yes \|$/);
    expect(rowOf(hardware(9e7), aim)).toMatch(/ \| no \|$/);
  });
});

describe('the section for docs/benchmarks.md', () => {
  it('has a row for every statement of the thesis, way and number of pairs', () => {
    const lines = pairsMarkdown(committed).split('\n');
    expect(lines.filter((line) => line.startsWith('| Figure '))).toHaveLength(findings.length);
    for (const { label, kind } of ways) {
      if (kind === 'scree')
        expect(
          lines.some((line) => line.startsWith(`| ${label} |`)),
          label,
        ).toBe(true);
    }
    const grown = committed.pairs!.growth!;
    expect(grown.length).toBeGreaterThan(0);
    expect(lines.filter((line) => /^\| [^|]+ \| auto, (CPU|GPU) \| [\d,]+ \| /.test(line))).toHaveLength(
      grown.length,
    );
    for (const line of lines) expect(line).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('is written between its marks, with the chart beside; another file is refused in one line', () => {
    const files = ['report.json', 'chart.svg', 'page.md'].map((name) => join(folder, name));
    const [report, chart, page] = files as [string, string, string];
    writeFileSync(report, resultJson(committed));
    writeFileSync(page, 'before\n<!-- bench:pairs -->\nold\n<!-- /bench:pairs -->\nafter\n');
    writePairsFigures({ report, chart, page });
    expect(readFileSync(chart, 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    const text = readFileSync(page, 'utf8');
    expect(text).toMatch(
      /^before\n<!-- bench:pairs -->\n[\s\S]*\| Figure 17: [\s\S]*<!-- \/bench:pairs -->\nafter\n$/,
    );
    expect(text).not.toContain('\nold\n');
    const missing = { report: join(folder, 'none.json'), chart, page };
    expect(() => writePairsFigures(missing)).toThrow(/none\.json: cannot be read \(ENOENT\)$/);
    writeFileSync(page, 'no marks\n');
    expect(() => writePairsFigures({ report, chart, page })).toThrow(
      /page\.md: no lines <!-- bench:pairs -->/,
    );
  });
});

it('what is committed is of the report beside it', () => {
  expect(committed).toMatchObject({ quick: false });
  const bars = (svg: string) =>
    [...svg.matchAll(/<text [^>]*font-size="11.5"[^>]*>(.*?)<\/text>/g)].map(([, one]) => one);
  const svg = readFileSync(join(root, 'docs/benchmarks/pairs.svg'), 'utf8');
  expect(bars(svg).length).toBeGreaterThan(50);
  expect(bars(svg)).toEqual(bars(pairsChart(committed)));
  expect(readFileSync(join(root, 'docs/benchmarks.md'), 'utf8')).toContain(pairsMarkdown(committed));
});
