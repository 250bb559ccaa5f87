import { describe, expect, it } from 'vitest';
import { addressOf, numberIn, oneOf, readAddress } from '../../demos/page/address.ts';

const FIELDS = { shape: oneOf(['ball', 'cube']), count: numberIn({ low: 1, high: 9, whole: true }) };
const FALLBACK: { shape: 'ball' | 'cube'; count: number } = { shape: 'ball', count: 3 };
const read = (search: string) => readAddress(search, FIELDS, FALLBACK);

describe('the address of a page', () => {
  it('says what was chosen', () => {
    const choice = { shape: 'cube', count: 7 } as const;
    expect(addressOf(choice)).toBe('?shape=cube&count=7');
    expect(read(addressOf(choice))).toEqual({ choice, remarks: [] });
    expect(read('')).toEqual({ choice: FALLBACK, remarks: [] });
    expect(read('?count=7').choice).toEqual({ shape: 'ball', count: 7 });
  });

  it('has a line for each thing that is not there, and what is taken instead', () => {
    const { choice, remarks } = read('?shape=cone&count=2.5&colour=red');
    expect(choice).toEqual(FALLBACK);
    expect(remarks).toEqual([
      'address: shape is "cone", expected one of ball, cube: taken is ball',
      'address: count is "2.5", expected a whole number from 1 to 9: taken is 3',
      'address: colour is not known, expected shape, count',
    ]);
  });

  it.each(['', ' ', '0', '10', 'NaN', 'Infinity', '1e99', '7x', '__proto__'])(
    'takes no number from "%s"',
    (text) => {
      const { choice, remarks } = read(`?count=${encodeURIComponent(text)}`);
      expect(choice).toEqual(FALLBACK);
      expect(remarks).toHaveLength(1);
    },
  );

  it('takes the last of several, and says so', () => {
    const twice = 'address: count stands there 2 times: the last one counts';
    expect(read('?count=5&count=7')).toEqual({ choice: { ...FALLBACK, count: 7 }, remarks: [twice] });
    const { choice, remarks } = read('?count=5&count=x');
    expect(choice).toEqual(FALLBACK);
    expect(remarks).toEqual([
      twice,
      'address: count is "x", expected a whole number from 1 to 9: taken is 3',
    ]);
  });

  it('does not repeat long names', () => {
    const { remarks } = read(`?${'x'.repeat(3000)}=1`);
    expect(remarks).toEqual(['address: a name of 3000 characters is not known, expected shape, count']);
  });

  it('knows no names but those of fields', () => {
    expect(read('?constructor=1&__proto__=2').remarks).toHaveLength(2);
  });
});
