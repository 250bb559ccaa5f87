import { describe, expect, it } from 'vitest';
import { linearScale, logScale, shortNumber, tickText } from '../../src/bench/chart.ts';
import { barChart, ratioLabel } from '../../src/bench/chart-bars.ts';
import { lineChart } from '../../src/bench/chart-lines.ts';

const look = { color: '#0072b2', marker: 'circle' } as const;
const bar = (value: number) => ({ value, min: 0.9 * value, max: 1.1 * value, label: ratioLabel(value) });

const bars = () =>
  barChart({
    title: 'Bars & <titles>',
    notes: ['a "note"'],
    unit: 'points / s',
    groups: [
      { name: 'one', note: '1 triangle' },
      { name: 'two', note: '2 triangles' },
    ],
    series: [
      { name: 'fast', look },
      { name: 'a < b', look },
    ],
    panels: [{ title: 'panel', note: 'noted', bars: [[bar(3), bar(1)], [bar(2)]] }],
  });

const lines = () =>
  lineChart({
    title: 'Lines & <titles>',
    notes: [],
    xLabel: 'triangles',
    yLabel: 'seconds',
    lines: [
      {
        name: 'R&D',
        look: { ...look, dashed: true },
        points: [
          { x: 8, y: 1e-3 },
          { x: 524_288, y: 2 },
        ],
        loose: [{ x: 1000, y: 0.5 }],
        ringed: [{ x: 8, y: 1e-3 }],
      },
    ],
  });

/** Names of elements in the order in which they open; throws where the text is not well-formed XML. */
function elements(xml: string): string[] {
  const open: string[] = [];
  const seen: string[] = [];
  const token = /<(\/?)([a-z]+)((?:\s+[a-zA-Z-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
  let end = 0;
  for (const match of xml.matchAll(token)) {
    const [whole, closing, name, attributes = '', alone, content = ''] = match;
    if (match.index !== end) break;
    end += whole.length;
    if (/&(?!(?:amp|lt|gt|quot);)/.test(attributes + content)) throw new Error(`stray & in ${whole}`);
    if (name === undefined) continue;
    if (closing) {
      if (open.pop() !== name) throw new Error(`</${name}> closes something else`);
    } else {
      seen.push(name);
      if (!alone) open.push(name);
    }
  }
  if (end !== xml.length) throw new Error(`not XML: ${xml.slice(end, end + 60)}`);
  if (open.length > 0) throw new Error(`not closed: ${open.join(', ')}`);
  return seen;
}

describe('charts', () => {
  it.each([
    ['bars', bars],
    ['lines', lines],
  ])('of %s are well-formed SVG of one size with a background of their own', (_, draw) => {
    const svg = draw();
    const seen = elements(svg);
    expect(seen[0]).toBe('svg');
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    const size = /width="(\d+)" height="(\d+)" viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.slice(1);
    expect(size.slice(0, 2)).toEqual(size.slice(2));
    expect(svg).toContain(`<rect width="${size[0]}" height="${size[1]}" fill="#ffffff"/>`);
  });

  it('escape what people write', () => {
    expect(bars()).toContain('Bars &amp; &lt;titles&gt;');
    expect(lines()).toContain('R&amp;D');
  });

  it('draw a bar for every value there is, as long as its value', () => {
    const lengths = [...bars().matchAll(/width="([\d.]+)" height="14" fill="#0072b2"/g)]
      .map((match) => Number(match[1]))
      .filter((length) => length !== 16);
    expect(lengths).toHaveLength(3);
    expect(lengths[0]! / lengths[1]!).toBeCloseTo(3, 2);
    expect(lengths[2]! / lengths[1]!).toBeCloseTo(2, 2);
  });

  it('put equal factors at equal distances on a logarithmic axis', () => {
    const { place } = logScale({ from: 8, to: 524_288 }, 0, 1000);
    expect(place(80) - place(8)).toBeCloseTo(place(80_000) - place(8000), 9);
    expect(place(8)).toBeGreaterThan(0);
    expect(place(524_288)).toBeLessThan(1000);
  });

  it('put equal differences at equal distances on a linear axis', () => {
    const line = { name: 'errors', look, points: [1, 3, 5].map((x) => ({ x, y: 1 })) };
    const svg = lineChart({ title: '', notes: [], xLabel: '', yLabel: '', lines: [line], linearX: true });
    const places = [...svg.matchAll(/<circle cx="([\d.]+)"[^>]*r="4.6"/g)].map((match) => Number(match[1]));
    expect(places.slice(0, 3).map((x) => x - places[0]!)[2]! / (places[1]! - places[0]!)).toBeCloseTo(2, 2);
  });

  it('refuse what has no place on a logarithmic axis, and nothing at all', () => {
    const line = { name: 'zero', look, points: [{ x: 1, y: 0 }] };
    const options = { title: '', notes: [], xLabel: '', yLabel: '' };
    expect(() => lineChart({ ...options, lines: [line] })).toThrow(RangeError);
    expect(() => lineChart({ ...options, lines: [] })).toThrow(RangeError);
    expect(() => barChart({ title: '', notes: [], unit: '', groups: [], series: [], panels: [] })).toThrow(
      RangeError,
    );
  });
});

it('a linear scale has ticks at round numbers from 0 up to its end', () => {
  for (const most of [0.003, 0.7, 1, 9.99, 123, 4.2e7]) {
    const { ticks, place } = linearScale(most, 0, 100, 4);
    expect(ticks.length).toBeGreaterThanOrEqual(3);
    expect(ticks.length).toBeLessThanOrEqual(5);
    expect(ticks[0]).toBe(0);
    expect(ticks[1]!.toExponential()).toMatch(/^(1|2|2\.5|5)e/);
    expect(place(ticks.at(-1)!)).toBeLessThanOrEqual(100);
    expect(place(most)).toBe(100);
  }
});

it('numbers are short and grouped', () => {
  expect([0.01234, 1.234, 1234, 123_456].map(shortNumber)).toEqual(['0.0123', '1.23', '1,230', '123,000']);
  expect([31.4159, 0.314, 1].map(ratioLabel)).toEqual(['31×', '0.31×', '1×']);
  expect([1e6, 0.001, -2].map(tickText)).toEqual(['1,000,000', '0.001', '−2']);
});
