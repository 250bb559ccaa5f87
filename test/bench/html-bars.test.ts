import { expect, it } from 'vitest';
import { markPlot } from '../../src/bench/html-bars.ts';
import { secondsText, secondsTick } from '../../src/bench/html-text.ts';

/** About what a letter of a chart's text takes, in pixels. */
const LETTER = 7;

it.each([
  [0.02, 0.3],
  [0.02, 0.12],
  [1e-6, 1],
  [0.5, 40],
])('texts of ticks do not meet on an axis from %d to %d s', (least, most) => {
  const look = { color: 'black', marker: 'circle' } as const;
  const rows = [least, most].map((value) => ({
    ...{ label: 'way', look, value, min: value, max: value, hollow: false },
    ...{ valueText: secondsText(value), besideText: '', tip: '' },
  }));
  const svg = markPlot({
    ...{ title: 'Set-up', valueHead: 'set-up', besideHead: '', axis: 'set-up', tick: secondsTick },
    groups: [{ name: 'body', note: '', rows }],
  });
  const ticks = [...svg.matchAll(/<text x="([\d.]+)" y="[\d.]+" text-anchor="middle">([\d.,]+ \S*s)</g)].map(
    ([, x, text]) => ({
      from: Number(x) - (LETTER * text!.length) / 2,
      to: Number(x) + (LETTER * text!.length) / 2,
    }),
  );
  expect(ticks.length).toBeGreaterThan(1);
  for (let i = 1; i < ticks.length; i++) expect(ticks[i]!.from).toBeGreaterThan(ticks[i - 1]!.to);
});
