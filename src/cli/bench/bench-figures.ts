/** Figures of `scree bench pages` and `shards`: what was measured, what is wanted of it, and both as a table. */
import type { Spread } from '../../bench/report.ts';
import { spread } from '../../bench/spread.ts';
import { bytesText, numberText, rateText, secondsText } from '../../bench/text.ts';
import { formatTable } from '../format.ts';

const TEXTS = {
  ...{ ratio: numberText, count: numberText, seconds: secondsText, bytes: bytesText },
  'per second': (value: number) => `${rateText(value)}/s`,
};

export interface Figure {
  readonly what: string;
  readonly unit: keyof typeof TEXTS;
  readonly value: Spread;
  readonly wanted?: { readonly least: number } | { readonly most: number };
}

export function figureOf(
  what: string,
  unit: Figure['unit'],
  values: readonly number[],
  wanted?: Figure['wanted'],
): Figure {
  return { what, unit, value: spread(values), ...(wanted && { wanted }) };
}

/**
 * A heading and a table, without a final newline.
 *
 * @param key the field that says what a figure is of, and the heading of its column
 * @param quick small and short: nothing is judged
 */
export function formatFigures<K extends string>(
  head: readonly string[],
  key: K,
  figures: readonly (Figure & Readonly<Record<K, string>>)[],
  quick: boolean,
): string {
  const rows = figures.map(({ [key]: of, what, unit, value, wanted }) => {
    const text = TEXTS[unit];
    const range = value.runs > 1 ? `${text(value.min)} .. ${text(value.max)}` : '';
    const cells: string[] = [of, what, text(value.median), range];
    if (wanted === undefined) return cells;
    const bound = 'least' in wanted ? `at least ${text(wanted.least)}` : `at most ${text(wanted.most)}`;
    return [...cells, bound, quick ? '' : holds(value, wanted) ? 'yes' : 'no'];
  });
  const table = formatTable([[key, 'what', 'median', 'range', 'wanted'], ...rows], [2, 3]);
  return [head.join('\n'), table, ...(quick ? ['A quick run, not judged.'] : [])].join('\n\n');
}

function holds({ median }: Spread, wanted: NonNullable<Figure['wanted']>): boolean {
  return 'least' in wanted ? median >= wanted.least : median <= wanted.most;
}
