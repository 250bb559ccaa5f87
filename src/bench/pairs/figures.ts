/** Looking things up in what suite `pairs` measured, by what the thesis' figures are about. */
import { numberText } from '../html-text.ts';
import type { Finding } from '../report.ts';
import { secondsPerPair } from './measure.ts';
import type {
  PairQuestion,
  PairRunReport,
  PairSettingReport,
  PairShapeReport,
  PairsReport,
} from './pairs-report.ts';

export type Measured = Pick<PairsReport, 'ways' | 'shapes'>;
export type Precision = 'float32' | 'float64';

/** Shapes that are mostly curved, which the thesis calls quadratic. */
export const QUADRIC = ['ellipsoid', 'box-ellipsoid', 'cone'] as const;

/** Of an algorithm in a number format, asked one question. */
export interface Series {
  readonly algorithm: string;
  readonly precision: Precision;
  readonly question: PairQuestion;
}

export type Value = (run: PairRunReport, setting: PairSettingReport) => number;

export const meanCalls: Value = ({ calls }) => calls.mean;
export const highestCalls: Value = ({ calls }) => calls.highest;
export const pairSeconds: Value = (run) => secondsPerPair(run);

export interface Place {
  readonly setting: PairSettingReport;
  readonly value: number;
}

/** Runs of a series on a shape with their settings, in ascending probability; empty where it was not asked. */
export function placesOf({ ways }: Measured, shape: PairShapeReport, series: Series, value: Value): Place[] {
  const keys = ways
    .filter(({ algorithm, precision }) => algorithm === series.algorithm && precision === series.precision)
    .map(({ key }) => key);
  return shape.settings.flatMap((setting) =>
    setting.runs
      .filter(({ way, question }) => question === series.question && keys.includes(way))
      .map((run) => ({ setting, value: value(run, setting) })),
  );
}

/** Mean over all probabilities; undefined where the series was not asked. */
export function meanOf(measured: Measured, shape: PairShapeReport, series: Series, value: Value) {
  const values = placesOf(measured, shape, series, value).map((place) => place.value);
  return values.length === 0 ? undefined : values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** A value for each shape, those without left out. */
export function overShapes<T>(
  { shapes }: Measured,
  value: (shape: PairShapeReport) => T | undefined,
): { readonly shape: PairShapeReport; readonly value: T }[] {
  return shapes.flatMap((shape) => {
    const found = value(shape);
    return found === undefined ? [] : [{ shape, value: found }];
  });
}

/** `boxes 3.21, cones 4.10` */
export function listText(
  values: readonly { readonly shape: PairShapeReport; readonly value: number }[],
  text: (value: number) => string = numberText,
): string {
  return values.map(({ shape, value }) => `${shape.label} ${text(value)}`).join(', ');
}

export const rangeText = (values: readonly number[]) =>
  `${numberText(Math.min(...values))} to ${numberText(Math.max(...values))}`;

export const notMeasured = (source: string, statement: string): Finding => ({
  ...{ source, statement, measured: '', agrees: 'not measured', why: '' },
});

/** @param why how and why ours differs, where it does */
export function judged(
  source: string,
  statement: string,
  measured: string,
  agrees: boolean,
  why: string,
): Finding {
  return { source, statement, measured, agrees: agrees ? 'yes' : 'no', why: agrees ? '' : why };
}

/** Ratios of two series on every shape, probability by probability. */
export function ratiosOf(measured: Measured, over: Series, under: Series, value: Value) {
  return overShapes(measured, (shape) => {
    const above = placesOf(measured, shape, over, value);
    const below = placesOf(measured, shape, under, value);
    const ratios = above.flatMap(({ setting, value: one }) => {
      const other = below.find((place) => place.setting === setting);
      return other === undefined || !(other.value > 0) ? [] : [one / other.value];
    });
    return ratios.length === 0 ? undefined : ratios;
  });
}

/** Names of shapes, by falling values. */
export function order(
  values: readonly { readonly shape: PairShapeReport; readonly value: number }[],
): string[] {
  return [...values].sort((a, b) => b.value - a.value).map(({ shape }) => shape.name);
}
