/**
 * Draws the charts of a report in the page that carries them: the one script of `report.html`, bundled with Observable
 * Plot by `vite build --mode charts`. A chart is drawn anew whenever its width changes, so that it fits a phone, and a
 * folded one when it is unfolded. Colours are the page's, so that they follow its theme.
 */
import { axisX, axisY, dot, gridX, gridY, line, plot, pointer, ruleX, ruleY, text, tip } from '@observablehq/plot';
import { numberText, rateText, secondsText } from '../text.ts';
import type { Axis, ChartPanel, ChartPoint, ChartSeries, ChartSpec, Unit } from './spec.ts';

/** Pixels. */
const LINES_HEIGHT = 256;
/** Room for ticks and label below a chart, in any font. */
const BELOW = 44;
const ROW = 14;
const BETWEEN_ROWS = 7;
const LABELS_LEFT = 104;
const LEAST_WIDTH = 220;
/** Of a number behind a mark. */
const VALUE = 62;
/** A tick for so many pixels. */
const PER_TICK = 52;

const FORMATS: Readonly<Record<Unit, (value: number) => string>> = {
  seconds: secondsText,
  count: (value) => rateText(value).replace(' ', ''),
  times: (value) => `${numberText(value)}×`,
  number: numberText,
  percent: (value) => `${numberText(value)} %`,
};

/** `1.00 ms` as a tick says `1 ms`. */
const tickText = (unit: Unit) => (value: number) =>
  FORMATS[unit](value)
    .replace(/(\.\d*?)0+(?!\d)/, '$1')
    .replace(/\.(?!\d)/, '');

/** Of all panels together, so that they can be compared. */
function domainOf(values: readonly number[], { linear }: Axis): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (linear) return [Math.min(0, low), high * 1.04 || 1];
  const air = (high / low) ** 0.04;
  return low === high ? [low / 2, high * 2] : [low / air, high * air];
}

/** Powers of ten; between few of them twos and fives, where there is room. */
function logTicks([low, high]: readonly [number, number], pixels: number): number[] {
  const most = Math.max(2, Math.floor(pixels / PER_TICK));
  const decades = Array.from({ length: 40 }, (_, i) => 10 ** (i - 20));
  const within = (value: number) => value >= low && value <= high;
  for (const steps of [[1, 2, 5], [1, 3], [1]]) {
    const ticks = decades.flatMap((power) => steps.map((step) => step * power)).filter(within);
    if (ticks.length <= most) return ticks.map((value) => Number(value.toPrecision(3)));
  }
  const ticks = decades.filter(within);
  const every = Math.ceil(ticks.length / most);
  return ticks.filter((_, i) => i % every === 0).map((value) => Number(value.toPrecision(3)));
}

const scaleOf = (axis: Axis, domain: [number, number]) =>
  axis.linear ? { domain, type: 'linear' as const } : { domain, type: 'log' as const };
const ticksOf = (axis: Axis, domain: [number, number], pixels: number) => ({
  ticks: axis.linear ? Math.max(2, Math.floor(pixels / PER_TICK)) : logTicks(domain, pixels),
  tickFormat: tickText(axis.unit),
});

const MUTED = 'var(--grid-line)';
const boxOf = (spec: ChartSpec) => ({
  color: (one: ChartPoint) => `var(--${spec.series[one.series]!.color})`,
  fill: (one: ChartPoint) => (one.hollow ? 'var(--background)' : `var(--${spec.series[one.series]!.color})`),
  symbol: (one: ChartPoint) => spec.series[one.series]!.symbol,
});
/** Colours and symbols are what they are, not values of a scale. */
const PLAIN = { color: { type: 'identity' }, symbol: { type: 'identity' } } as const;
const tipOptions = { fill: 'var(--card)', stroke: 'var(--line)', textPadding: 7, lineWidth: 24 } as const;
/** Lines of the grid and the axis below, at the same ticks. */
const below = (label: string, ticks: ReturnType<typeof ticksOf>) => [
  gridX({ stroke: MUTED, strokeOpacity: 1, ticks: ticks.ticks }),
  axisX({ ...ticks, label, labelAnchor: 'center', labelArrow: 'none', labelOffset: BELOW - 9, tickSize: 0 }),
];
const ranged = (points: readonly ChartPoint[]) => points.filter((one) => one.low !== undefined);

function lines(spec: ChartSpec, panel: ChartPanel, width: number, all: readonly ChartPoint[]): Element {
  const y = spec.y!;
  const ends = all.flatMap(({ y: at, low = at, high = at }) => [low as number, high as number]);
  const across = domainOf(
    panel.points.map((one) => one.x),
    spec.x,
  );
  const upwards = domainOf(ends, y);
  const { color, fill, symbol } = boxOf(spec);
  const points = [...panel.points];
  const yTicks = ticksOf(y, upwards, LINES_HEIGHT - 60);
  return plot({
    ...{ width, height: LINES_HEIGHT, marginLeft: 58, marginRight: 14, marginTop: 26, marginBottom: BELOW },
    ...{ x: scaleOf(spec.x, across), y: scaleOf(y, upwards), ...PLAIN },
    marks: [
      ...below(spec.x.label, ticksOf(spec.x, across, width - 80)),
      gridY({ stroke: MUTED, strokeOpacity: 1, ticks: yTicks.ticks }),
      axisY({ ...yTicks, label: y.label, labelArrow: 'none', tickSize: 0 }),
      ruleX(ranged(points), { x: 'x', y1: 'low', y2: 'high', stroke: color }),
      line(points, { x: 'x', y: 'y', z: 'series', stroke: color, strokeWidth: 1.8, sort: 'x' }),
      dot(points, { x: 'x', y: 'y', stroke: color, fill, symbol, r: 3.6 }),
      tip(points, pointer({ x: 'x', y: 'y', title: 'tip', ...tipOptions })),
    ],
  });
}

function rows(spec: ChartSpec, panel: ChartPanel, width: number, all: readonly ChartPoint[]): Element {
  const points = [...panel.points];
  const names = [...new Set(all.map((one) => String(one.y)))];
  const order = [...new Set(all.map((one) => one.series))].sort((a, b) => a - b);
  const reference = spec.reference === undefined ? [] : [spec.reference.at];
  const across = domainOf([...all.flatMap((one) => [one.low ?? one.x, one.high ?? one.x]), ...reference], spec.x);
  // Room for the numbers behind the marks.
  const inner = Math.max(2 * VALUE, width - LABELS_LEFT - 12);
  const grown = inner / (inner - VALUE);
  across[1] = spec.x.linear ? across[1] * grown : across[0] * (across[1] / across[0]) ** grown;
  const { color, fill, symbol } = boxOf(spec);
  const value = FORMATS[spec.x.unit];
  const place = { fy: 'y', y: 'series' } as const;
  return plot({
    ...{ width, marginLeft: LABELS_LEFT, marginRight: 12, marginTop: 8, marginBottom: BELOW },
    height: BELOW + 8 + names.length * (order.length * ROW + BETWEEN_ROWS),
    ...{ x: scaleOf(spec.x, across), y: { type: 'band', domain: order, axis: null, padding: 0 }, ...PLAIN },
    fy: { domain: names, axis: 'left', label: null, padding: BETWEEN_ROWS / (order.length * ROW + BETWEEN_ROWS) },
    marks: [
      ...below(spec.x.label, ticksOf(spec.x, across, width - LABELS_LEFT - 20)),
      ruleX(reference, { stroke: 'var(--ink)', strokeWidth: 1.2 }),
      ruleY(ranged(points), { ...place, x1: 'low', x2: 'high', stroke: color, strokeWidth: 2 }),
      dot(points, { ...place, x: 'x', stroke: color, fill, symbol, r: 4 }),
      text(points, {
        ...{ ...place, x: (one: ChartPoint) => one.high ?? one.x, text: (one: ChartPoint) => value(one.x) },
        ...{ textAnchor: 'start', dx: 8, fill: 'currentColor' },
      }),
      tip(points, pointer({ ...place, x: 'x', title: 'tip', ...tipOptions })),
    ],
  });
}

function drawPanel(spec: ChartSpec, place: HTMLElement, panel: ChartPanel): void {
  const width = Math.floor(place.clientWidth);
  if (width < LEAST_WIDTH || place.dataset.width === String(width)) return;
  place.dataset.width = String(width);
  const all = spec.panels.flatMap(({ points }) => points);
  const chart = (spec.kind === 'rows' ? rows : lines)(spec, panel, width, all);
  chart.setAttribute('role', 'img');
  chart.setAttribute('aria-label', panel.title);
  place.replaceChildren(chart);
}

/** A line through a mark, as lines and rows have them. */
function drawKey(place: HTMLElement, { color, symbol }: ChartSeries): void {
  const at = { x: 1, y: 1, stroke: `var(--${color})` };
  const key = plot({
    ...{ width: 26, height: 14, margin: 0, axis: null, x: { domain: [0, 2] }, y: { domain: [0, 2] } },
    marks: [
      ruleY([1], { stroke: at.stroke, strokeWidth: 1.8 }),
      dot([1], { ...at, x: [1], y: [1], r: 3.8, fill: at.stroke, symbol: symbol as 'circle' }),
    ],
  });
  place.prepend(key);
}

for (const figure of document.querySelectorAll<HTMLElement>('figure.chart')) {
  const spec = JSON.parse(figure.querySelector('script')!.textContent) as ChartSpec;
  figure.querySelectorAll<HTMLElement>('.legend li').forEach((key, i) => void drawKey(key, spec.series[i]!));
  figure.querySelectorAll<HTMLElement>('.plot').forEach((place, i) => {
    new ResizeObserver(() => drawPanel(spec, place, spec.panels[i]!)).observe(place);
  });
}

const button = document.getElementById('theme')!;
const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
const show = () => {
  button.textContent = isDark() ? 'Light theme' : 'Dark theme';
};
button.addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark';
  show();
});
system.addEventListener('change', show);
button.hidden = false;
show();
