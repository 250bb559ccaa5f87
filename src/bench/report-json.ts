/** Results as JSON: `report.json`, and those of `npm run bench`. */

/** Digits beyond the sixth of a time are noise. Innermost objects, spreads above all, stand on one line. */
export function resultJson(result: unknown): string {
  const tidy = (_: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
  const inOneLine = (_: string, members: string) => `{ ${members.trim().replace(/,\n\s*/g, ', ')} }`;
  return `${JSON.stringify(result, tidy, 1).replace(/\{\n([^{}[\]]*)\n\s*\}/g, inOneLine)}\n`;
}
