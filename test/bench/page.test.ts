import { describe, expect, it } from 'vitest';
import { reportHtml } from '../../src/bench/report-page/page.ts';
import { type ChartSpec, isWorthDrawing } from '../../src/bench/report-page/spec.ts';
import { THEMES } from '../../src/bench/report-page/style.ts';
import { summaryOf } from '../../src/bench/summary.ts';
import { syntheticReport } from '../support/bench-report.ts';

const report = syntheticReport({ timestamps: true, longest: 0.2 });
const html = reportHtml(report, 'draw("</script>")');
const chartsOf = (page: string) =>
  [...page.matchAll(/<script type="application\/json">(.*?)<\/script>/gs)].map(
    ([, data]) => JSON.parse(data!) as ChartSpec,
  );

/** Elements that are not closed in the order in which they were opened. */
function unclosed(page: string): string[] {
  const wrong: string[] = [];
  const open: string[] = [];
  const content = page.replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '');
  for (const [, closing, name] of content.matchAll(/<(\/?)([a-z][a-z0-9]*)(?:"[^"]*"|[^">])*>/g)) {
    if (name === 'meta') continue;
    if (!closing) open.push(name!);
    else if (open.pop() !== name) wrong.push(name!);
  }
  return [...wrong, ...open];
}

describe('the page', () => {
  it('is one whole document that loads nothing, with its one script', () => {
    expect(html).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(unclosed(html)).toEqual([]);
    expect(html).not.toMatch(/(?:src|href)="/);
    expect(html).toContain("default-src 'none'");
    // The script cannot end itself.
    expect(html).toContain('draw("<\\/script>")');
    expect(html.replace(/<script.*?<\/script>/gs, '')).not.toMatch(/NaN|undefined|Infinity|\[object/);
  });

  it('takes no name for markup', () => {
    const evil = '<img src=x onerror="alert(1)">&';
    const changed = {
      ...report,
      remarks: [evil],
      suites: report.suites.map((suite) => ({
        ...suite,
        ways: suite.ways.map((way) => ({ ...way, label: evil })),
        bodies: suite.bodies.map((body) => ({ ...body, name: evil })),
      })),
    };
    const page = reportHtml(changed, '');
    expect(page).not.toContain('<img');
    expect(unclosed(page)).toEqual([]);
  });

  it('has a row for every run and set-up, and marks what was scaled up or left out', () => {
    const runs = report.suites.flatMap(({ bodies }) => bodies.flatMap((body) => body.runs));
    const setUps = report.suites.flatMap(({ bodies }) => bodies.flatMap((body) => body.setUps));
    const rows = html.match(/<tr><th scope="row"/g)!.length;
    expect(rows).toBeGreaterThanOrEqual(2 * runs.length + setUps.length);
    const extrapolated = runs.filter(({ status }) => status === 'extrapolated');
    expect(extrapolated.length).toBeGreaterThan(0);
    expect(html.match(/class="extrapolated"/g)!.length).toBeGreaterThanOrEqual(extrapolated.length);
    for (const { reason } of extrapolated) expect(html).toContain(`title="${reason}"`);
    const hollow = chartsOf(html).flatMap(({ panels }) => panels.flatMap(({ points }) => points));
    expect(hollow.some((point) => point.hollow)).toBe(true);
  });

  it('shows a chart for each suite, and nothing of it alone on an axis', () => {
    const charts = chartsOf(html);
    expect(charts.length).toBeGreaterThanOrEqual(report.suites.length);
    for (const chart of charts) {
      expect(isWorthDrawing(chart)).toBe(true);
      // Every series is somewhere, with a look of its own.
      const used = new Set(chart.panels.flatMap(({ points }) => points.map(({ series }) => series)));
      expect([...used].sort((a, b) => a - b)).toEqual([...chart.series.keys()]);
      const looks = chart.series.map(({ color, symbol }) => `${color} ${symbol}`);
      expect(looks).toEqual([...new Set(looks)]);
      for (const { color } of chart.series) expect(Object.keys(THEMES.light)).toContain(color);
    }
    const alone = report.suites.map((suite) => ({
      ...suite,
      bodies: suite.bodies.slice(0, 1).map((body) => ({ ...body, runs: body.runs.slice(0, 1) })),
    }));
    expect(chartsOf(reportHtml({ ...report, suites: alone }, ''))).toEqual([]);
  });

  it('puts statements beside measurements, and counts those that hold', () => {
    const { findings } = report.suites.find(({ name }) => name === 'paper')!;
    for (const { measured } of findings) expect(html).toContain(measured);
    const count = (agrees: string) => findings.filter((one) => one.agrees === agrees).length;
    const told = `${count('yes')} of ${count('yes') + count('no')}`;
    expect(html).toContain(`Statements beside measurements: ${told} hold here`);
    expect(summaryOf(report).some(([value]) => value === told)).toBe(true);
  });

  it('of a quick run says that it is not judged, and judges nothing', () => {
    const quick = { ...report, quick: true };
    const page = reportHtml(quick, '');
    expect(page).toContain('A quick run, not judged');
    expect(page).not.toContain('hold here');
    expect(summaryOf(quick).map(([, meaning]) => meaning)).toEqual([
      expect.stringContaining('answers of scree held against exact ones'),
    ]);
  });

  it('of nothing says so', () => {
    const page = reportHtml(
      { ...report, suites: report.suites.map((one) => ({ ...one, bodies: [], findings: [] })) },
      '',
    );
    expect(page).toContain('Nothing was measured.');
    expect(unclosed(page)).toEqual([]);
  });
});

describe('colours', () => {
  /** Relative luminance and contrast as WCAG 2 has them. */
  const luminance = (colour: string) => {
    const [r, g, b] = [1, 3, 5].map((at) => {
      const c = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const contrast = (a: string, b: string) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
    return (high + 0.05) / (low + 0.05);
  };

  it.each(['light', 'dark'] as const)('%s: text and series stand out from what they are on', (name) => {
    const theme = THEMES[name];
    for (const text of ['ink', 'faint-ink', 'link', 'good', 'bad'] as const) {
      for (const on of ['background', 'card'] as const) {
        expect(contrast(theme[text], theme[on]), `${text} on ${on}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    const series = [
      'blue',
      'teal',
      'pink',
      'orange',
      'red',
      'brown',
      'violet',
      'olive',
      'peer',
      'copy',
    ] as const;
    for (const one of series) expect(contrast(theme[one], theme.background), one).toBeGreaterThanOrEqual(3);
    expect(new Set(series.map((one) => theme[one])).size).toBe(series.length);
    for (const one of series) expect(THEMES.light[one]).not.toBe(THEMES.dark[one]);
  });
});
