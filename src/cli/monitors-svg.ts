/** Plots of what was watched during a simulation: a self-contained SVG file. */

/** Rows of the table of monitors, by their columns. */
export type MonitorRows = readonly Readonly<Record<string, number>>[];

interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

/** Blue, orange and the rest also differ in lightness. */
const COLORS = ['#1f5fa8', '#e8850c', '#2c8a4b', '#8a4fa3', '#5c6773', '#b3402e', '#59b4c4'] as const;
const TEXT = '#1d2733';
const GRID = '#e3e7ec';
const FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Open Sans', sans-serif";

/** Layout in pixels. Room on both sides is for labels in any font. */
const WIDTH = 900;
const [LEFT, RIGHT, TOP, BOTTOM] = [96, 190, 56, 44];
const PANELS = { energy: 260, small: 130 } as const;
const BETWEEN = 46;
const LEGEND_LINE = 20;

/** @param rows one at least */
export function monitorsSvg(rows: MonitorRows, title: string): string {
  const column = (name: string) => rows.map((row) => row[name] ?? 0);
  const since = (values: readonly number[]) => values.map((value) => value - values[0]!);
  const times = column('time');
  const energies: Series[] = [
    { name: 'kinetic', values: column('kinetic') },
    { name: 'gravity, since start', values: since(column('gravity')) },
    { name: 'elastic', values: column('elastic') },
    { name: 'lost in dashpots', values: column('dashpots') },
    { name: 'lost in friction', values: column('friction') },
    { name: 'lost in rolling', values: column('rolling') },
    { name: 'balance, since start', values: since(column('balance')) },
  ];
  const panels = [
    { title: 'Energy', height: PANELS.energy, series: energies },
    { title: 'Contacts', height: PANELS.small, series: [{ name: 'contacts', values: column('contacts') }] },
    {
      title: 'Deepest overlap',
      height: PANELS.small,
      series: [{ name: 'deepest overlap', values: column('deepestOverlap') }],
    },
  ];
  let top = TOP;
  const parts = panels.map((panel) => {
    const drawn = panelSvg(panel.title, times, panel.series, top, panel.height);
    top += panel.height + BETWEEN;
    return drawn;
  });
  const height = top - BETWEEN + BOTTOM;
  const middle = (LEFT + WIDTH - RIGHT) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="${FONTS}" font-size="13" ` +
      `fill="${TEXT}">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="24" y="28" font-size="16" font-weight="600">${escaped(title)}</text>`,
    ...parts,
    `<text x="${middle}" y="${height - 8}" text-anchor="middle">time</text>`,
    '</svg>',
    '',
  ].join('\n');
}

function panelSvg(
  title: string,
  times: readonly number[],
  series: readonly Series[],
  top: number,
  height: number,
): string {
  const right = WIDTH - RIGHT;
  const x = scaleOf(times, LEFT, right);
  const y = scaleOf([0, ...series.flatMap(({ values }) => values)], top + height, top);
  const lines = series.map(({ values }, i) => {
    const points = values.map((value, k) => `${pixels(x.at(times[k]!))} ${pixels(y.at(value))}`);
    // A single point is a dot.
    const path = points.length > 1 ? `M${points.join('L')}` : `M${points[0]}h0.01`;
    return (
      `<path d="${path}" fill="none" stroke="${COLORS[i % COLORS.length]}" stroke-width="2" ` +
      'stroke-linejoin="round" stroke-linecap="round"/>'
    );
  });
  const legend =
    series.length < 2
      ? []
      : series.map(({ name }, i) => {
          const at = top + 10 + LEGEND_LINE * i;
          const color = COLORS[i % COLORS.length];
          return (
            `<path d="M${right + 16} ${at}h18" stroke="${color}" stroke-width="2"/>` +
            `<text x="${right + 40}" y="${at + 4}">${name}</text>`
          );
        });
  return [
    `<text x="${LEFT}" y="${top - 10}" font-weight="600">${title}</text>`,
    ...x.ticks.map((tick) => {
      const at = pixels(x.at(tick));
      return (
        `<path d="M${at} ${top}V${top + height}" stroke="${GRID}"/>` +
        `<text x="${at}" y="${top + height + 18}" text-anchor="middle">${tickText(tick)}</text>`
      );
    }),
    ...y.ticks.map((tick) => {
      const at = pixels(y.at(tick));
      return (
        `<path d="M${LEFT} ${at}H${right}" stroke="${tick === 0 ? '#9aa5b1' : GRID}"/>` +
        `<text x="${LEFT - 10}" y="${at + 4}" text-anchor="end">${tickText(tick)}</text>`
      );
    }),
    ...lines,
    ...legend,
  ].join('\n');
}

/** A scale whose ends are ticks, 1, 2 or 5 times a power of ten apart. */
function scaleOf(values: readonly number[], start: number, end: number) {
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const extent = high - low || Math.abs(high) || 1;
  const rough = extent / Math.max(2, Math.abs(end - start) / 60);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((one) => one * power >= rough) ?? 10);
  const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil((low + extent) / step - 1e-9)];
  return {
    at: (value: number) => start + ((value / step - first) / (last - first)) * (end - start),
    ticks: Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step),
  };
}

const tickText = (value: number) => {
  const rounded = Number(value.toPrecision(10));
  return rounded !== 0 && (Math.abs(rounded) < 1e-3 || Math.abs(rounded) >= 1e6)
    ? rounded.toExponential()
    : String(rounded);
};
const pixels = (value: number) => Math.round(10 * value) / 10;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
