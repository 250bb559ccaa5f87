/** Numbers and tables for people. */
import type { AdapterSummary } from '../index.ts';

/** `512,000`. Not by `toLocaleString`, which loads tables of all languages: that takes longer than a small command. */
export function formatCount(count: number): string {
  return `${Math.round(count)}`.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `12.3 %` */
function formatShare(part: number, whole: number): string {
  return `${(whole === 0 ? 0 : (100 * part) / whole).toFixed(1)} %`;
}

/** `34.2 MiB` */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** `google swiftshader, software` */
export function formatAdapter(adapter: AdapterSummary): string {
  const name = [adapter.vendor, adapter.architecture].filter((part) => part !== '').join(' ');
  return `${name || adapter.description || 'unnamed'}, ${adapter.software ? 'software' : 'hardware'}`;
}

/** An adapter in a JSON object; null without one. */
export function adapterFields(adapter: AdapterSummary | undefined) {
  if (adapter === undefined) return null;
  const { vendor, architecture, software } = adapter;
  return { vendor, architecture, software };
}

/** What `adapterFields` leaves out. */
export const NO_NAMES = { device: '', description: '' } as const;

/** Seconds rounded to microseconds: more digits would only be noise. */
export function roundSeconds(seconds: number): number {
  return Math.round(1e6 * seconds) / 1e6;
}

/** The same of each stage. */
export function roundedStages<Stages extends { readonly [Stage in keyof Stages]: number }>(seconds: Stages) {
  const rounded = Object.entries<number>(seconds).map(([stage, own]) => [stage, roundSeconds(own)]);
  return Object.fromEntries(rounded) as { readonly [Stage in keyof Stages]: number };
}

/** How often a value is there. */
export function timesOf(values: ArrayLike<number>, wanted: number): number {
  return Array.from(values).reduce((times, value) => times + (value === wanted ? 1 : 0), 0);
}

/** Stages and their seconds, as a table with a heading. A stage that did not take place has none. */
export function formatSeconds(
  stages: readonly (readonly [stage: string, seconds: number | undefined])[],
): string {
  const rows = stages.flatMap(([stage, seconds]) =>
    seconds === undefined ? [] : [[`  ${stage}`, seconds.toFixed(3)]],
  );
  return formatTable([['seconds'], ...rows], [1]);
}

/** A row with a count and its share of all. */
export function shareRow(label: string, part: number, whole: number): string[] {
  return [label, formatCount(part), formatShare(part, whole)];
}

/**
 * Rows of text in aligned columns, two blanks apart, without blanks at the ends of lines.
 *
 * @param right columns (from 0) that are aligned to the right
 */
export function formatTable(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [k, cell] of row.entries()) widths[k] = Math.max(widths[k] ?? 0, cell.length);
  }
  return rows
    .map((row) =>
      row
        .map((cell, k) => (right.includes(k) ? cell.padStart(widths[k]!) : cell.padEnd(widths[k]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** "1 point", "2,000 points": a count with its noun. */
export function countOf(count: number, one: string): string {
  return `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`;
}

/** The places of the least values among those that count, in ascending order of the values. */
export function leastOf(
  values: ArrayLike<number>,
  most: number,
  counts: (i: number) => boolean = () => true,
): number[] {
  const least: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (!counts(i) || (least.length === most && !(values[i]! < values[least[most - 1]!]!))) continue;
    let at = least.length;
    while (at > 0 && values[i]! < values[least[at - 1]!]!) at--;
    least.splice(at, 0, i);
    least.length = Math.min(least.length, most);
  }
  return least;
}

// The library's own, so that names and values in messages are cut the same way everywhere.
export { shorten } from '../errors.ts';

/** Seconds of a command that asks about a scene, besides those of the call itself. */
export interface CommandSeconds {
  readonly read: number;
  readonly open: number;
  readonly build: number;
  readonly write: number;
  readonly total: number;
}

/** Whole numbers in ascending order as `3, 7-9`. */
export function ranges(numbers: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run?.[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}
