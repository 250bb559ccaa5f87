import { expect, it } from 'vitest';
import { chartSvg } from '../../src/chart.ts';
import { CASES } from '../../src/validate/cases.ts';
import { reportMarkdown } from '../../src/validate/report-markdown.ts';
import { type CaseReport, countRows, runCases, whyLeftOut } from '../../src/validate/run-cases.ts';
import { above, below, equal, near } from '../../src/validate/validation-case.ts';

it.each(CASES.filter(({ isLong }) => !isLong))('$name', async (one) => {
  for await (const report of runCases([one], { threads: 1, isQuick: true })) {
    expect(report.failure).toBeUndefined();
    expect(report.rows.length).toBeGreaterThan(0);
    expect(report.rows.filter(({ passed }) => !passed)).toEqual([]);
    for (const chart of report.charts ?? []) expect(chartSvg(chart)).not.toMatch(/NaN|Infinity|undefined/);
  }
});

it('rows are held to their tolerances, and the report says which failed', () => {
  const tolerance = { within: 0.01, because: 'why', unit: ' m' };
  const rows = [
    equal('a', 1.005, 1, tolerance),
    equal('b', 1.02, 1, tolerance),
    equal('c', Number.NaN, 1, tolerance),
    near('d', 0.005, 0, tolerance),
    near('e', -0.02, 0, tolerance),
    below('f', 0.02, tolerance),
    above('g', 0.02, tolerance),
  ];
  expect(rows.map(({ passed }) => passed)).toEqual([true, false, false, true, false, false, true]);
  expect(near('h', 0.02, 0, { ...tolerance, inFloat32: { within: 0.03, because: 'float32' } })).toMatchObject(
    {
      ...{ tolerance: 0.01, because: 'why', passed: false },
      inFloat32: { got: '0.02 m', tolerance: 0.03, because: 'float32', passed: true },
    },
  );
  const own = { name: 'own', shows: 'It shows.', source: 'a source', isLong: false, seconds: 1 };
  const reports: CaseReport[] = [
    { ...own, rows },
    { ...own, rows: [], failure: 'step 1: no' },
  ];
  expect(countRows(reports)).toEqual({ passed: 3, failed: 5 });
  const text = reportMarkdown(reports, 'charts', 'scree validate');
  expect(text).toContain('**3 passed, 5 failed.**');
  expect(text).toContain('| b | 1 m | 1.02 m **failed** | 2 % | 1 % |');
  expect(text).toContain('**Failed**: step 1: no');
});

it('cases are left out on the GPU that need float64, and unless they are named those that need hardware', () => {
  const on = (software: boolean) => ({ adapter: { software } }) as never;
  const one = (name: string) => CASES.find((own) => own.name === name)!;
  const why = (name: string, device: never | undefined, isNamed = false) =>
    whyLeftOut(one(name), device, isNamed);
  expect(why('pairs-of-kinds', on(true))).toBeUndefined();
  for (const name of ['pairs-of-kinds-long', 'heap', 'hopper']) {
    expect(why(name, undefined)).toBeUndefined();
    expect(why(name, on(false))).toBeUndefined();
    expect(why(name, on(true))).toMatch(/^tens of thousands of steps/);
    expect(why(name, on(true), true)).toBeUndefined();
  }
  expect(why('collisions', on(false), true)).toMatch(/float64$/);
});
