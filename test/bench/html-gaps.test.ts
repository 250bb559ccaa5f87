import { describe, expect, it } from 'vitest';
import { reportHtml } from '../../src/bench/html.ts';
import type { BenchReport, Spread, SuiteReport } from '../../src/bench/report.ts';
import { readable, unclosed, withRuns } from '../support/bench-page.ts';
import { syntheticReport } from '../support/bench-report.ts';

const NONE: Spread = { min: 0, median: 0, max: 0, runs: 0 };
const ZERO_SECONDS = { total: NONE, upload: NONE, kernel: NONE, readback: NONE, exact: NONE };

const full = syntheticReport({ timestamps: true });

/** Reports with gaps of every kind; each has to make a page without a broken number. */
const gaps: [string, BenchReport][] = [
  ['complete', full],
  ['quick', syntheticReport({ quick: true })],
  ['without suites', { ...full, suites: [] }],
  [
    'with empty suites',
    {
      ...full,
      suites: full.suites.map((suite): SuiteReport => ({ ...suite, bodies: [], ways: [], findings: [] })),
    },
  ],
  ['without runs', withRuns(full, () => undefined)],
  [
    'with runs that are all left out',
    withRuns(full, (run) => ({ ...run, status: 'left-out', seconds: ZERO_SECONDS, pointsPerSecond: NONE })),
  ],
  ['with times of 0', withRuns(full, (run) => ({ ...run, seconds: ZERO_SECONDS, pointsPerSecond: NONE }))],
  [
    'with one run each',
    {
      ...full,
      suites: full.suites.map((suite) => ({
        ...suite,
        bodies: suite.bodies.slice(0, 1).map((body) => ({ ...body, runs: body.runs.slice(0, 1) })),
      })),
    },
  ],
  [
    'without peer and copy',
    withRuns({ ...full, copyBytesPerSecond: NONE }, (run) =>
      run.way === 'copy' || run.way === 'three-mesh-bvh'
        ? undefined
        : { ...run, ratioToPeer: 0, ratioToCopy: 0 },
    ),
  ],
  [
    'without set-ups',
    {
      ...full,
      suites: full.suites.map((suite) => ({
        ...suite,
        bodies: suite.bodies.map((body) => ({ ...body, setUps: [] })),
      })),
    },
  ],
  ['with unknown ways', withRuns(full, (run) => ({ ...run, way: `new ${run.way}` }))],
  [
    'from a host that tells little',
    {
      ...full,
      commands: [],
      environment: { ...full.environment, cpu: '', memoryBytes: 0, loadBefore: -1, versions: {} },
    },
  ],
  [
    'with a least of 0',
    withRuns(full, (run) => ({
      ...run,
      seconds: { ...run.seconds, total: { ...run.seconds.total, min: 0 } },
      pointsPerSecond: { ...run.pointsPerSecond, min: 0 },
    })),
  ],
  // What a division by zero becomes on its way through JSON.
  ['with a null for a number', withRuns(full, (run) => ({ ...run, ratioToPeer: null as unknown as number }))],
];

describe.each(gaps)('a report %s', (_, report) => {
  const page = reportHtml(report);

  it('shows no broken number', () => {
    expect(readable(page)).not.toMatch(/NaN|undefined|Infinity|null|\[object/);
    expect(page.replace(/<script>.*?<\/script>/s, '')).not.toMatch(/NaN|undefined|Infinity|="null|\[object/);
  });

  it('has headings in order, and every element closed', () => {
    const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (let i = 1; i < levels.length; i++) expect(levels[i]! - levels[i - 1]!).toBeLessThanOrEqual(1);
    expect(unclosed(page)).toEqual([]);
  });

  it('has every id once, and links to ids that are there', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
    expect(ids).toEqual([...new Set(ids)]);
    const targets = [...page.matchAll(/(?:href="#|url\(#|aria-labelledby=")([^")]+)/g)].map(([, id]) => id!);
    expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
  });
});

describe('what people write', () => {
  const nasty = `<script>alert("x&y")</script>'--><b>`;
  const report: BenchReport = {
    ...full,
    date: nasty,
    commands: [nasty],
    remarks: [nasty],
    environment: {
      ...full.environment,
      runtime: nasty,
      platform: nasty,
      cpu: nasty,
      adapter: { vendor: nasty, architecture: nasty, device: nasty, description: nasty, software: false },
      versions: { [nasty]: nasty },
    },
    suites: full.suites.map((suite) => ({
      ...suite,
      ways: suite.ways.map((way) => ({ ...way, label: `${way.label}${nasty}` })),
      findings: suite.findings.map((finding) => ({
        ...finding,
        source: `${finding.source}${nasty}`,
        statement: nasty,
        measured: nasty,
        why: nasty,
      })),
      bodies: suite.bodies.map((body) => ({
        ...body,
        name: nasty,
        setUps: body.setUps.map((setUp) => ({
          ...setUp,
          parts: { [nasty]: setUp.total },
          figures: { [nasty]: 1 },
        })),
        runs: body.runs.map((run) => ({ ...run, reason: nasty, chosen: nasty })),
      })),
    })),
  };
  const page = reportHtml(report);

  it('is text, never markup', () => {
    expect(page.match(/<script>/g)).toHaveLength(1);
    expect(page).not.toContain('<b>\n');
    expect(page).not.toContain('alert("x');
    expect(page).not.toMatch(/<b>(?!Paper|Here|Why|[\d≈.,]+)/);
    expect(page).toContain('&lt;script&gt;alert(&quot;x&amp;y&quot;)&lt;/script&gt;');
    expect(unclosed(page)).toEqual([]);
  });
});
