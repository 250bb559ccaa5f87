/** What a chart of the report shows, as plain data. The page carries it; `draw.ts` draws it with Observable Plot. */

export type Unit = 'seconds' | 'count' | 'times' | 'number' | 'percent';

export interface Axis {
  readonly label: string;
  readonly unit: Unit;
  /** Default logarithmic. */
  readonly linear?: boolean;
}

export interface ChartSeries {
  readonly name: string;
  /** Name of a colour of the style sheet, and of a symbol of Plot. */
  readonly color: string;
  readonly symbol: string;
}

export interface ChartPoint {
  /** Index into the chart's series. */
  readonly series: number;
  readonly x: number;
  /** A number of the axis y, or the row that the point stands in. */
  readonly y: number | string;
  /** Least and most: of y in charts of lines, of x in charts of rows. */
  readonly low?: number;
  readonly high?: number;
  /** Scaled up from a part: a hollow mark. */
  readonly hollow?: boolean;
  /** Shown while the point is pointed at. */
  readonly tip: string;
}

export interface ChartPanel {
  readonly title: string;
  readonly points: readonly ChartPoint[];
}

export interface ChartSpec {
  /** `rows`: a row for every name in y and every series in it, values along x. */
  readonly kind: 'lines' | 'rows';
  readonly x: Axis;
  /** Missing of rows. */
  readonly y?: Axis;
  /** A value of x with a line through it, such as 1 in charts of ratios. */
  readonly reference?: { readonly at: number; readonly name: string };
  readonly series: readonly ChartSeries[];
  /** Beside each other, on the same axes. */
  readonly panels: readonly ChartPanel[];
}

/** Whether a chart says more than its table: of lines, no point may be alone on its axis. */
export function isWorthDrawing({ kind, panels }: ChartSpec): boolean {
  const points = panels.flatMap((panel) => panel.points);
  return kind === 'rows' ? points.length > 1 : new Set(points.map(({ x }) => x)).size > 1;
}
