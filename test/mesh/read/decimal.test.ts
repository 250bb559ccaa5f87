import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanDecimal } from '../../../src/mesh/read/decimal.ts';
import { bytesOf } from './fixtures.ts';

function scan(text: string): number | undefined {
  const result = { value: 0, end: 0 };
  if (!scanDecimal(bytesOf(`x${text} `), 1, result)) return undefined;
  expect(result.end).toBe(text.length + 1);
  return result.value;
}

describe('decimal numbers', () => {
  it('come out as the platform rounds them, in every notation', () => {
    const notations = [
      (x: number) => `${x}`,
      (x: number) => x.toExponential(),
      (x: number) => x.toPrecision(7),
      (x: number) => x.toPrecision(17),
      (x: number) => x.toExponential(3).toUpperCase(),
      (x: number) => x.toFixed(6),
    ];
    fc.assert(
      fc.property(
        fc.oneof(
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.double({ noNaN: true, min: -1e4, max: 1e4 }),
        ),
        fc.constantFrom(...notations),
        (x, write) => {
          const text = write(x);
          expect(scan(text)).toBe(Number(text));
        },
      ),
      { seed: 1, numRuns: 5000 },
    );
  });

  it.each([
    '0',
    '-0',
    '+1',
    '.5',
    '5.',
    '-.5e-3',
    '1E+05',
    '00012.500',
    '9007199254740993',
    '1e400',
    '1e-400',
    '0e99999999999',
  ])('%s is one', (text) => {
    expect(scan(text)).toBe(Number(text));
  });

  it.each(['', '-', '.', '-.', 'e5', '1e', '1e+', 'nan', 'inf'])('%j is none', (text) => {
    expect(scan(text)).toBeUndefined();
  });
});
