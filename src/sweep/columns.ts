/** Columns of a sweep's table: a measure, or a statistic of a monitor. */
import { InputError } from '../index.ts';

/** What a task measures at its end, where its sweep asks for it. */
const MEASURES = ['angleOfRepose'] as const;
export type Measure = (typeof MEASURES)[number];

const STATISTICS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  first: (values) => values[0] ?? Number.NaN,
  last: (values) => values.at(-1) ?? Number.NaN,
  mean: meanOf,
  // Runs may have more rows than a function takes arguments.
  min: (values) => values.reduce((a, b) => Math.min(a, b), values[0] ?? Number.NaN),
  max: (values) => values.reduce((a, b) => Math.max(a, b), values[0] ?? Number.NaN),
  sd: spreadOf,
};

export type Column = { /** As it was asked for. */ readonly name: string } & (
  | { readonly kind: 'measure'; readonly measure: Measure }
  | {
      readonly kind: 'monitor';
      readonly monitor: string;
      readonly statistic: string;
      /** Rows before this time do not count. */
      readonly from: number;
    }
);

/**
 * Reads `angleOfRepose`, `kinetic last`, `contacts mean from 2`.
 *
 * @param place of the text, for messages
 * @param monitors those there are
 * @throws InputError
 */
export function columnOf(text: string, place: string, monitors: readonly string[]): Column {
  const words = text.trim().split(/\s+/);
  const [first = '', statistic = '', from, time, ...more] = words;
  const name = words.join(' ');
  const measure = MEASURES.find((one) => one === first);
  if (measure !== undefined && words.length === 1) return { name, kind: 'measure', measure };
  const start = from === undefined ? 0 : from === 'from' && time ? Number(time) : Number.NaN;
  const isMonitor = monitors.includes(first) && Object.hasOwn(STATISTICS, statistic);
  if (isMonitor && more.length === 0 && Number.isFinite(start)) {
    return { name, kind: 'monitor', monitor: first, statistic, from: start };
  }
  throw new InputError(
    `${place} is ${JSON.stringify(text)}, expected ${MEASURES.join(', ')}, or a monitor (${monitors.join(', ')}) ` +
      `with ${Object.keys(STATISTICS).join(', ')}, and "from TIME" if not all of the run counts`,
  );
}

/** @param rows of the table of monitors @returns not a number where no row counts */
export function statisticOf(
  { monitor, statistic, from }: Extract<Column, { kind: 'monitor' }>,
  rows: readonly Readonly<Record<string, number>>[],
): number {
  return STATISTICS[statistic]!(rows.filter(({ time }) => time! >= from).map((row) => row[monitor]!));
}

/** Not a number of none. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The standard deviation of what values are a sample of: with n - 1. Not a number of less than two. */
export function spreadOf(values: readonly number[]): number {
  if (values.length < 2) return Number.NaN;
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}
