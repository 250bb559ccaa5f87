/** Numbers as the report writes them: three significant digits, thousands grouped, decimal units (1 MB = 10^6 bytes). */
import type { AdapterSummary } from '../index.ts';

/** Where there is no number. */
export const NOTHING = '–';

/** Text for HTML, between tags and in double-quoted attributes. Control characters become blanks. */
export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
  return text.replace(/[\u0000-\u001f\u007f]/g, ' ').replace(/[&<>"]/g, (letter) => entities[letter]!);
}

/** Of a quick run, on the page and in the terminal. */
export const QUICK_NOTE =
  'A quick run, not judged: small bodies, few points and pairs. It shows that everything works, not how fast.';

/** `512,000` */
export function countText(count: number): string {
  return Number.isFinite(count) ? Math.round(count).toLocaleString('en-US') : NOTHING;
}

/** `0.0120`, `1.23`, `45.6`, `1,234`: three significant digits, and whole numbers from 100 on. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return NOTHING;
  if (value === 0) return '0';
  if (Math.abs(value) >= 99.95) return countText(value);
  return value.toLocaleString('en-US', { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
}

/** A number above 0 in a unit of `unit`; 0 stands for what was not measured. */
export function inUnits(value: number, unit: number): string {
  return value > 0 ? numberText(value / unit) : NOTHING;
}

/** The largest unit that is not above a value, or the smallest. */
function scaled(value: number, units: readonly (readonly [number, string])[]): [number, string] {
  const [factor, name] = units.findLast(([size]) => value >= 0.9995 * size) ?? units[0]!;
  return [value / factor, name];
}

const SECONDS = [
  [1e-9, 'ns'],
  [1e-6, 'µs'],
  [1e-3, 'ms'],
  [1, 's'],
] as const;
const BYTES = [
  [1, 'bytes'],
  [1e3, 'kB'],
  [1e6, 'MB'],
  [1e9, 'GB'],
  [1e12, 'TB'],
] as const;
const POWERS = [
  [1, ''],
  [1e3, ' k'],
  [1e6, ' M'],
  [1e9, ' G'],
  [1e12, ' T'],
] as const;

function withUnit(value: number, units: readonly (readonly [number, string])[], space = ' '): string {
  if (!Number.isFinite(value)) return NOTHING;
  const [number, name] = scaled(value, units);
  return `${numberText(number)}${space}${name}`;
}

/** `1.23 s`, `45.6 ms` */
export function secondsText(seconds: number): string {
  return withUnit(seconds, SECONDS);
}

/** `12.3 MB` */
export function bytesText(bytes: number): string {
  return bytes < 999.5 ? `${countText(bytes)} bytes` : withUnit(bytes, BYTES);
}

/** `24.1 M`, before ` points/s` */
export function rateText(perSecond: number): string {
  return withUnit(perSecond, POWERS, '');
}

/** `12.3×`; nothing where what it is compared with did not run. */
export function timesText(ratio: number): string {
  return Number.isFinite(ratio) && ratio > 0 ? `${numberText(ratio)}×` : NOTHING;
}

/** `10³` for 1000, the points of a cubic grid; other numbers as they are. */
export function gridText(points: number): string {
  const side = Math.round(Math.cbrt(points));
  return side > 1 && side ** 3 === points ? `${side}³` : countText(points);
}

/** With a capital letter first. */
export function capitalized(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

/** `google swiftshader` */
export function adapterName(adapter: AdapterSummary): string {
  const name = [adapter.vendor, adapter.architecture].filter((part) => part !== '').join(' ');
  return name || adapter.description || 'unnamed';
}

/** `2026-11-20 13:23 UTC`; what is no ISO date stays as it is. */
export function dateText(date: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(date);
  return parts === null ? date : `${parts[1]} ${parts[2]} UTC`;
}
