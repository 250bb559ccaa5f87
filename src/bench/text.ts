/** Numbers as the report writes them: three significant digits, thousands grouped, decimal units (1 MB = 10^6 B). */
import type { AdapterSummary } from '../index.ts';

/** Where there is no number. */
export const NOTHING = '–';

/** Text for HTML, between tags and in double-quoted attributes. Control characters become blanks. */
export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
  return text.replace(/[\u0000-\u001f\u007f]/g, ' ').replace(/[&<>"]/g, (letter) => entities[letter]!);
}

/** Of a quick run, on the page and in the terminal. */
export const QUICK_NOTE =
  'A quick run, not judged: small bodies, few points and pairs. It shows that everything works, not how fast.';
/** Of suite `distance`: its cases take little time, and are judged. */
export const QUICK_DISTANCE_NOTE =
  'A quick run of distances: small meshes, few calls. Verdicts are about these; a full run has larger ones, too.';

/** `512,000` */
export function countText(count: number): string {
  return Number.isFinite(count) ? Math.round(count).toLocaleString('en-US') : NOTHING;
}

/** `5.86e-10`, `0.0120`, `1.23`, `45.6`, `1,234`: three significant digits, and whole numbers from 100 on. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return NOTHING;
  if (value === 0) return '0';
  if (Math.abs(value) >= 99.95) return countText(value);
  if (Math.abs(value) < 1e-4) return value.toExponential(2);
  return value.toLocaleString('en-US', { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
}

/** A number above 0 in a unit of `unit`; 0 stands for what was not measured. */
export const inUnits = (value: number, unit: number) => (value > 0 ? numberText(value / unit) : NOTHING);

/** @param units from 10^power on, each 1000 times the one before; the value gets the largest that does not exceed it */
function withUnit(value: number, power: number, units: readonly string[]): string {
  if (!Number.isFinite(value)) return NOTHING;
  const sizes = units.map((_, i) => 10 ** (power + 3 * i));
  const found = sizes.findLastIndex((size) => value >= 0.9995 * size);
  const at = Math.max(0, found);
  return `${numberText(value / sizes[at]!)}${units[at]}`;
}

/** `1.23 s`, `45.6 ms` */
export const secondsText = (seconds: number) => withUnit(seconds, -9, [' ns', ' µs', ' ms', ' s']);
/** `12.3 MB` */
export const bytesText = (bytes: number) =>
  bytes < 999.5 ? `${countText(bytes)} bytes` : withUnit(bytes, 0, [' bytes', ' kB', ' MB', ' GB', ' TB']);
/** `24.1 M`, before ` points/s` */
export const rateText = (perSecond: number) => withUnit(perSecond, 0, ['', ' k', ' M', ' G', ' T']);

/** `12.3×`; nothing where what it is compared with did not run. */
export const timesText = (ratio: number) => (Number.isFinite(ratio) && ratio > 0 ? `${numberText(ratio)}×` : NOTHING);

/** `10³` for 1000, the points of a cubic grid; other numbers as they are. */
export function gridText(points: number): string {
  const side = Math.round(Math.cbrt(points));
  return side > 1 && side ** 3 === points ? `${side}³` : countText(points);
}

/** With a capital letter first. */
export const capitalized = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

/** `google swiftshader, software` */
export function adapterText({ vendor, architecture, description, software }: AdapterSummary): string {
  const name = [vendor, architecture].filter((part) => part !== '').join(' ');
  return `${name || description || 'unnamed'}, ${software ? 'software' : 'hardware'}`;
}

/** `2026-11-20 13:23 UTC`; what is no ISO date stays as it is. */
export function dateText(date: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(date);
  return parts === null ? date : `${parts[1]} ${parts[2]} UTC`;
}
