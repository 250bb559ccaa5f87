/**
 * Bars from left to right, in panels beside each other: one panel per set of values, one group per thing, one bar per
 * series. Bars as different as 1 and 100 keep readable, since each has its value beside it.
 */
import {
  FAINT_INK,
  frame,
  headerHeight,
  horizontalAxis,
  type Look,
  legendRow,
  linearScale,
  type Panel,
  round,
  sheet,
  shortNumber,
  text,
} from './chart.ts';

export interface Bar {
  readonly value: number;
  /** Least and most of the repetitions, drawn as a whisker. */
  readonly min: number;
  readonly max: number;
  /** Beside the bar. */
  readonly label: string;
}

export interface BarChartOptions {
  readonly title: string;
  readonly notes: readonly string[];
  readonly unit: string;
  readonly groups: readonly { readonly name: string; readonly note: string }[];
  readonly series: readonly { readonly name: string; readonly look: Look }[];
  /** `bars[group][series]`; undefined where there is nothing to show. */
  readonly panels: readonly {
    readonly title: string;
    readonly note: string;
    readonly bars: readonly (readonly (Bar | undefined)[])[];
  }[];
}

const WIDTH = 1264;
const LEFT = 132;
const RIGHT = 24;
const GAP = 26;
const BAR = 15;
const GROUP_GAP = 16;
/** The axis' numbers and name. */
const BELOW = 62;
/** How much longer the axis is than the longest whisker, so that the label beside it stays inside. */
const ROOM_FOR_LABELS = 1.45;
const TICKS = 4;

/** @throws RangeError if there is no group, no series or no panel. */
export function barChart(options: BarChartOptions): string {
  const { title, notes, unit, groups, series, panels } = options;
  if (groups.length * series.length * panels.length === 0) throw new RangeError('barChart: nothing to show');
  const legendTop = headerHeight(notes) + 8;
  const top = legendTop + 74;
  const groupHeight = series.length * BAR + GROUP_GAP;
  const height = groups.length * groupHeight;
  const width = (WIDTH - LEFT - RIGHT - (panels.length - 1) * GAP) / panels.length;
  const bottom = top + height + BELOW;
  return sheet({ width: WIDTH, height: bottom, title, notes }, [
    ...legendRow(LEFT, legendTop, series),
    ...groups.flatMap(({ name, note }, g) => {
      const middle = top + (g + 0.5) * groupHeight;
      return [
        text(LEFT - 12, middle - 2, name, 'text-anchor="end" font-weight="600"'),
        text(LEFT - 12, middle + 15, note, `text-anchor="end" fill="${FAINT_INK}" font-size="12"`),
      ];
    }),
    ...panels.flatMap(({ title: name, note, bars }, p) => {
      const panel: Panel = { left: LEFT + p * (width + GAP), top, width, height };
      const most = Math.max(0, ...bars.flat().map((bar) => bar?.max ?? 0));
      const scale = linearScale(ROOM_FOR_LABELS * most, panel.left, panel.left + width, TICKS);
      return [
        text(panel.left, top - 27, name, 'font-weight="600" font-size="14"'),
        text(panel.left, top - 10, note, `fill="${FAINT_INK}" font-size="12"`),
        ...horizontalAxis(panel, scale, unit),
        ...bars.flatMap((group, g) =>
          drawGroup(group, top + g * groupHeight + GROUP_GAP / 2, scale.place, series),
        ),
        frame(panel),
      ];
    }),
  ]);
}

function drawGroup(
  bars: readonly (Bar | undefined)[],
  top: number,
  place: (value: number) => number,
  series: BarChartOptions['series'],
): string[] {
  return bars.flatMap((bar, s) => {
    if (bar === undefined) return [];
    const y = top + s * BAR;
    const middle = round(y + BAR / 2);
    const [start, end, low, high] = [0, bar.value, bar.min, bar.max].map((value) => round(place(value)));
    return [
      `<rect x="${start}" y="${round(y + 0.5)}" width="${round(end! - start!)}" height="${BAR - 1}" fill="${series[s]!.look.color}"/>`,
      `<path d="M${low} ${middle}H${high}" stroke="${FAINT_INK}" stroke-width="1.4"/>`,
      text(Math.max(high!, end!) + 6, middle + 4, bar.label, 'font-size="11.5"'),
    ];
  });
}

/** `12×`, `1.4×`, `0.31×`: two significant digits. */
export function ratioLabel(ratio: number): string {
  return `${shortNumber(Number(ratio.toPrecision(2)))}×`;
}
